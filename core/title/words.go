// Package title reads the names of columns: which words they hold, and whether these name
// an identifier, a code, a date, a place or a target.
package title

import (
	"slices"
	"strings"

	"ifmlab/core/cell"
)

// Words are the words of a column's name: "StoreID", "store_id" and "Store id (EU)" are
// store and id. Only ASCII letters change to lower case.
type Words struct {
	Words []string
	head  string // the noun that says what the column holds: month of "birth_month_2" and of "month of birth"
	of    bool   // the head stands before "of", as that of a count does
}

// Of returns the words of a name in lower case. A word ends at other characters than
// letters and digits, between a letter and a digit, and before a capital. What is in
// brackets, mostly a unit, is left out.
func Of(name string) Words {
	var t Words
	start, depth := -1, 0
	end := func(at int) {
		if start >= 0 {
			t.Words = append(t.Words, cell.Lower(name[start:at]))
		}
		start = -1
	}
	for i := 0; i < len(name); i++ {
		class := classOf(name[i])
		switch {
		case name[i] == '(' || name[i] == '[':
			end(i)
			depth++
		case name[i] == ')' || name[i] == ']':
			end(i)
			depth = max(0, depth-1)
		case depth > 0:
		case name[i] == '/': // a price/day is one per day
			end(i)
			t.Words = append(t.Words, "per")
		case class == classOther:
			end(i)
		case start >= 0 && begins(name, i):
			end(i)
			start = i
		case start < 0:
			start = i
		}
	}
	end(len(name))
	t.findHead()
	return t
}

// What a byte of a name is.
const (
	classOther = iota
	classDigit
	classLower
	classUpper
)

func classOf(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return classDigit
	case 'A' <= c && c <= 'Z':
		return classUpper
	case 'a' <= c && c <= 'z', c >= 0x80:
		return classLower
	}
	return classOther
}

// begins reports whether a word begins at byte i, which follows one of the same
// run of letters and digits.
func begins(name string, i int) bool {
	before, here := classOf(name[i-1]), classOf(name[i])
	switch {
	case (before == classDigit) != (here == classDigit):
		return true
	case here != classUpper:
		return false
	case before == classLower:
		return true
	}
	return i+2 < len(name) && classOf(name[i+1]) == classLower && classOf(name[i+2]) == classLower // the N of IDNumber, and not the D of IDs
}

// findHead finds the head: the last word before the first preposition, numbers
// left out.
func (t *Words) findHead() {
	for i, w := range t.Words {
		if i > 0 && slices.Contains(prepositionWords, w) {
			t.of = w == "of"
			break
		}
		if classOf(w[0]) != classDigit {
			t.head = w
		}
	}
}

// Holds reports whether one of the words is in a list.
func (t Words) Holds(list []string) bool {
	return slices.ContainsFunc(t.Words, func(w string) bool { return slices.Contains(list, w) })
}

// joined returns the words without anything between them.
func (t Words) joined() string { return strings.Join(t.Words, "") }

var (
	prepositionWords = []string{"of", "per", "in", "by", "at", "for", "from", "to"}

	postalWords     = []string{"zip", "zips", "zipcode", "pincode", "plz", "postal", "postalcode", "postcode", "postleitzahl"}
	identifierWords = slices.Concat(postalWords, []string{"id", "uuid", "guid", "fips", "isbn", "sku", "barcode",
		"userid", "itemid", "movieid", "productid", "customerid", "orderid", "storeid", "patientid", "sessionid", "deviceid", "stationid"})
	entityWords = []string{"user", "customer", "client", "item", "product", "article", "film", "movie", "book", "song", "artist", "patient",
		"student", "player", "driver", "employee", "member", "seller", "device", "sensor"} // alone they name one of many
	numberingWords = []string{"no", "nr", "nbr", "num", "number", "code", "key", "phone", "account", "lfd", "iso", "row", "serial"}
	rowWords       = []string{"index", "idx", "instant", "unnamed", "rownames", "rowname", "rowid", "rownum", "rownumber", "rowno", "obs", "observation", "record"}

	codeWords = []string{"hr", "hour", "month", "mnth", "weekday", "dow", "day", "season", "zone", "type", "class", "category", "group", "region",
		"cluster", "grade", "origin", "station", "store", "dept", "department", "status", "pclass", "cyl", "cylinders", "quarter", "yr"}

	yearWords   = []string{"year", "yr", "jahr", "jaar", "année", "annee", "año", "anno"}
	periodWords = []string{"quarter", "month", "mnth", "week", "day", "hour", "hr", "minute", "second", "period", "age"}
	dateWords   = []string{"date", "datetime", "timestamp", "stamp", "ts", "epoch"}
	timeWords   = []string{"time", "unixtime", "starttime", "endtime"}
	noDates     = []string{"update", "candidate", "mandate"} // that end as dates do
	placeWords  = []string{"lat", "latitude", "lon", "lng", "long", "longitude", "easting", "northing"}

	// plainTargets say nothing else; wellKnownTargets are amounts that tables are
	// made to predict.
	plainTargets     = []string{"y", "target", "label", "class", "outcome", "response"}
	wellKnownTargets = []string{"rating", "score", "price", "medv", "saleprice", "sales", "cnt", "count", "quality", "churn", "survived", "default",
		"mpg", "milespergallon", "tip", "amount", "value", "load", "demand", "profit", "output", "result", "strength", "wage", "salary", "income", "revenue", "cost"}
	measureWords = []string{"size", "length", "len", "rate", "ratio", "share", "pct", "percent", "mean", "sum", "total"}
)

// Postal reports whether the name is a postal code: "ZipCode", "post_code".
func (t Words) Postal() bool {
	return slices.Contains(postalWords, t.joined()) || t.Holds(postalWords)
}

// Names reports whether a word of the name stands for an identifier or a row number, or the
// name has no word, as "#".
func (t Words) Names() bool {
	return len(t.Words) == 0 || t.Holds(identifierWords) || t.Holds(rowWords)
}

// Identifier reports whether the name is an identifier: "userId", "zip code", "order no",
// "id_kunde". "number of rooms" is not.
func (t Words) Identifier() bool {
	switch {
	case len(t.Words) == 0 || slices.Contains(measureWords, t.head) || slices.Contains(wellKnownTargets, t.head):
		return false
	case slices.Contains(identifierWords, t.head) || slices.Contains(identifierWords, t.Words[0]):
		return true
	case slices.Contains(rowWords, t.Words[0]) && t.Words[0] == t.head: // alone or with a number: "index", "Unnamed: 0"
		return true
	case len(t.Words) == 1 && (t.head == "num" || t.head == "number"): // of what?
		return false
	}
	return slices.Contains(numberingWords, t.head) && !t.of
}

// Numbering reports whether the name numbers things and may be an amount as well: "NO" is
// also a gas, "education_num" a number of years, "key" one of music. The numbers decide.
func (t Words) Numbering() bool {
	return !slices.Contains(identifierWords, t.head) && (len(t.Words) == 0 || !slices.Contains(identifierWords, t.Words[0]))
}

// Entity reports whether the name is a thing of which a table has many, such as "user".
func (t Words) Entity() bool { return slices.Contains(entityWords, t.joined()) }

// Code reports whether the name is a code for a few kinds: "store_nbr", "hour of day",
// "weathersit". "class_size" and "price per day" are not.
func (t Words) Code() bool {
	head := t.head
	if n := len(t.Words); n > 1 && slices.Contains(numberingWords, head) { // the store of "store_nbr"
		if i := slices.Index(t.Words, head); i > 0 {
			head = t.Words[i-1]
		}
	}
	return slices.Contains(codeWords, head) || strings.HasPrefix(head, "weather")
}

// isDate reports whether a word means a date: "date", "saledate".
func isDate(word string) bool {
	return slices.Contains(dateWords, word) || strings.HasSuffix(word, "date") && !slices.Contains(noDates, word)
}

// Date reports whether the name is a date or a year. "time" counts only alone, because a
// delivery time is a duration.
func (t Words) Date() bool {
	return isDate(t.head) || slices.Contains(yearWords, t.head) || t.joined() == "time"
}

// Period reports whether the name is a period: "week", "month_no".
func (t Words) Period() bool {
	return t.Holds(periodWords)
}

// Clock reports whether the name may be a time, which the numbers have to confirm. It has a
// word for a date or time. "price per time" and "revenue to date" do not count.
func (t Words) Clock() bool {
	for i, w := range t.Words {
		switch {
		case isDate(w), slices.Contains(timeWords, w):
			return true
		case i > 0 && w != "at" && slices.Contains(prepositionWords, w):
			return false
		}
	}
	return false
}

// Place reports whether the name is a coordinate.
func (t Words) Place() bool { return slices.Contains(placeWords, t.head) || t.joined() == "x" }

// The ranks of names as targets.
const (
	NotTarget   = iota
	LikeTarget  // its head is a plain target: "customer_rating"
	KnownTarget // a value or an amount that is often predicted
	PlainTarget // "target", "label" and the like
)

// Target returns the rank of the name as a target.
func (t Words) Target() int {
	whole := t.joined()
	switch {
	case slices.Contains(plainTargets, whole):
		return PlainTarget
	case slices.Contains(wellKnownTargets, whole), t.head == "value":
		return KnownTarget
	case slices.Contains(wellKnownTargets, t.head), slices.Contains(plainTargets, t.head) && t.head != "y":
		return LikeTarget
	}
	return NotTarget
}
