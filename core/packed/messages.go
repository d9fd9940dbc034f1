package packed

import (
	"fmt"
	"strings"
)

// The messages. web/src/packed/strings.ts has the same.
const (
	damagedGzip     = "this gzip file is damaged or ends too soon; fetch it or pack it again"
	notZip          = "this zip archive is damaged or ends too soon; fetch it or pack it again"
	emptyZip        = "this archive holds no file; pack the table again"
	deepZip         = "this archive holds an archive in an archive; unpack it and open the table inside"
	noSheets        = "no sheet of this workbook has any cells; write a header and rows into one, or choose another file"
	damagedWorkbook = "this Excel workbook is damaged; open it in a spreadsheet and save it again"
	binaryWorkbook  = "this is a binary Excel workbook (.xlsb), want .xlsx; save it as .xlsx or as CSV"
	openDocument    = "this is an OpenDocument spreadsheet, want .xlsx; save it as .xlsx or as CSV"
	oldWorkbook     = "this is an old Excel workbook (.xls), want .xlsx; save it as .xlsx or as CSV"
	lockedWorkbook  = "this Excel workbook is encrypted; open it with its password and save it without one, or save the sheet as CSV"
	lockedParquet   = "this Parquet file is encrypted; write it again without a key"
	noColumns       = "this Parquet file has no columns"
	readHidden      = "read all rows"
	leaveHidden     = "leave hidden rows out"
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
	return "it unpacks to more than " + size + ", the most that is read; cut the table down to fewer rows"
}

func damagedMember(name string) string {
	return name + " in this archive is damaged; fetch it or pack it again"
}

func encryptedMember(name string) string {
	return name + " in this archive is encrypted; unpack it with its password and open the file inside"
}

func unknownMethod(name string, method uint16) string {
	return fmt.Sprintf("%s in this archive is packed in a way that is not known here (method %d); unpack it and open the file inside", name, method)
}

func whichMember(found string, names []string) string {
	if found != "" {
		return fmt.Sprintf("this archive holds no file “%s”; say which one is the table: %s", found, listed(names))
	}
	return fmt.Sprintf("this archive holds %d files: %s; say which one is the table", len(names), listed(names))
}

func whichSheet(found string, names []string) string {
	if found != "" {
		return fmt.Sprintf("this workbook has no sheet “%s” with cells; say which one is the table: %s", found, listed(names))
	}
	return fmt.Sprintf("this workbook has %d sheets with cells: %s; say which one is the table", len(names), listed(names))
}

func titleRows(rows int, text string) string {
	which := "the row above the table is"
	if rows > 1 {
		which = fmt.Sprintf("the %d rows above the table are", rows)
	}
	return which + " left out: “" + text + "”"
}

func damagedParquet(reason string) string {
	return "this Parquet file is damaged or of a kind that is not known here (" + reason + "); write it again"
}

func nestedOnly(names []string) string {
	return "every column of this Parquet file is nested: " + listed(names) + "; write it again with a column for each value, as pandas.json_normalize or DataFrame.explode make them"
}

func leftOut(names []string, because string) string {
	if len(names) == 1 {
		return "column " + listed(names) + " is left out: it holds " + because
	}
	return "columns " + listed(names) + " are left out: they hold " + because
}

func nested(names []string) string {
	return leftOut(names, "lists, maps or records and not one value a row; write a column for each value, as pandas.json_normalize or DataFrame.explode make them")
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
	return which + " as missing; open the workbook in Excel and save it"
}

func noValues(names []string) string {
	return leftOut(names, "bytes or intervals and no texts or numbers")
}
