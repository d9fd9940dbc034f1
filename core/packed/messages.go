package packed

import (
	"fmt"
	"strings"
)

// The messages. web/src/packed/strings.ts has the same.
const (
	damagedGzip     = "this gzip file is damaged or incomplete. Download or compress it again"
	notZip          = "this zip archive is damaged or incomplete. Download or compress it again"
	emptyZip        = "this archive is empty. Add the table to it"
	deepZip         = "this archive contains an archive in an archive. Unpack it and open the table inside"
	noSheets        = "this workbook has no cells. Add a header and rows, or choose another file"
	damagedWorkbook = "this Excel workbook is damaged. Open it in a spreadsheet program and save it again"
	binaryWorkbook  = "this is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV"
	openDocument    = "this is an OpenDocument spreadsheet. Save it as .xlsx or CSV"
	oldWorkbook     = "this is an old Excel workbook (.xls). Save it as .xlsx or CSV"
	lockedWorkbook  = "this Excel workbook is encrypted. Save it without a password, or save the sheet as CSV"
	lockedParquet   = "this Parquet file is encrypted. Write it again without a key"
	noColumns       = "this Parquet file has no columns"
	readHidden      = "read all rows"
	leaveHidden     = "leave out hidden rows"
)

func listed(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), 20)] {
		quoted = append(quoted, "“"+name+"”")
	}
	more := ""
	if len(names) > 20 {
		more = " …"
	}
	return strings.Join(quoted, ", ") + more
}

func large(most int) string {
	size := fmt.Sprintf("%g MB", float64(most)/(1<<20))
	if most >= 1<<30 {
		size = fmt.Sprintf("%g GB", float64(most)/(1<<30))
	}
	return "it unpacks to more than " + size + ", the limit. Use fewer rows"
}

func damagedMember(name string) string {
	return name + " in this archive is damaged. Download or compress it again"
}

func encryptedMember(name string) string {
	return name + " in this archive is encrypted. Unpack it with its password and open the file inside"
}

func unknownMethod(name string, method uint16) string {
	return fmt.Sprintf("%s in this archive uses an unknown compression (method %d). Unpack it and open the file inside", name, method)
}

func whichMember(found string, names []string) string {
	if found != "" {
		return fmt.Sprintf("this archive contains no file “%s”. Which one is the table: %s?", found, listed(names))
	}
	return fmt.Sprintf("this archive contains %d files: %s. Which one is the table?", len(names), listed(names))
}

func whichSheet(found string, names []string) string {
	if found != "" {
		return fmt.Sprintf("this workbook has no sheet “%s” with cells. Which one is the table: %s?", found, listed(names))
	}
	return fmt.Sprintf("this workbook has %d sheets with cells: %s. Which one is the table?", len(names), listed(names))
}

func titleRows(rows int, text string) string {
	which := "the row above the table is"
	if rows > 1 {
		which = fmt.Sprintf("the %d rows above the table are", rows)
	}
	return which + " left out: “" + text + "”"
}

func damagedParquet(reason string) string {
	return "this Parquet file is damaged or of an unknown kind (" + reason + "). Write it again"
}

func nestedOnly(names []string) string {
	return "every column of this Parquet file is nested: " + listed(names) + ". Write it again with one column per value, for example with pandas.json_normalize or DataFrame.explode"
}

func leftOut(names []string, because string) string {
	if len(names) == 1 {
		return "column " + listed(names) + " is left out: it contains " + because
	}
	return "columns " + listed(names) + " are left out: they contain " + because
}

func nested(names []string) string {
	return leftOut(names, "lists, maps or records. Write one column per value, for example with pandas.json_normalize or DataFrame.explode")
}

func hiddenRows(rows int, visible bool) string {
	which, they := fmt.Sprintf("%d rows of the sheet are hidden, perhaps by a filter; they are ", rows), "read"
	if rows == 1 {
		which = "1 row of the sheet is hidden, perhaps by a filter; it is "
	}
	if visible {
		they = "left out"
	}
	return which + they
}

func unsavedFormulas(cells int) string {
	which := "1 cell holds a formula that was saved without its value and counts"
	if cells > 1 {
		which = fmt.Sprintf("%d cells hold formulas that were saved without their values and count", cells)
	}
	return which + " as missing. Open the workbook in Excel and save it"
}

func noValues(names []string) string {
	return leftOut(names, "bytes or intervals, not texts or numbers")
}
