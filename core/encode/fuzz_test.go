package encode_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"ifmlab/core/tabletest"
)

// FuzzRead holds every input to the same: no panic, a table whose counts agree
// or a typed error, and the same from one byte at a time.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		tabletest.Join(tabletest.Numbers(30)), "a,b\n1,2\n", "a;b\n1,5;x\n", "\uFEFFa\tb\r\n1\t2\r\n", "a,b\r1,2\r3,4", "a b\n 1  2\n",
		"a,b\n\"1\n2\",3\n", "a,b\n\"1,2\n3,4\n", "a,b\n1\"2,3\n\"4\"5,6\n", "a,b\n\xff,1\n", "a,b\n\x00,1\n",
		"a,a,\n1,2,3\n\n\n4,5,6,7\n", "{\"a\":1}", "\"", "\"\"", "\"a\r", "a,b\n5\" x,\"y", "1,2\n3,4", ",\n,\n",
		"a,b\n" + string(bytes.Repeat([]byte("1,yes\n2,no\nNA,\n"), 9)),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if table := tabletest.ReadsAlike(t, file); table != nil {
			require.EqualValues(t, len(file), table.Bytes)
		}
	})
}
