package main

import "encoding/binary"

const (
	deltaBlock = 1024
	deltaWorth = 2 // times as alike: text of few letters is no table
)

var deltaStrides = []int{8, 40}

// delta returns content in which blocks that hold tables of rising numbers,
// such as Go's of its functions, are differences, which pack a tenth better.
// web/src/offline/delta.ts says how, and takes it back.
func delta(content []byte) []byte {
	blocks := (len(content) + deltaBlock - 1) / deltaBlock
	all := append(make([]byte, blocks), content...)
	ways, written := all[:blocks], all[blocks:]
	changed := make([]byte, deltaBlock)
	for block := 1; block < blocks; block++ { // before the first there is nothing
		from, to := block*deltaBlock, min((block+1)*deltaBlock, len(content))
		most := deltaWorth * alike(content[from:to])
		for i, stride := range deltaStrides {
			for phase := range 4 {
				try := changed[:copy(changed, content[from:to])]
				for at := phase; at+4 <= len(try); at += 4 {
					before := binary.LittleEndian.Uint32(content[from+at-stride:])
					binary.LittleEndian.PutUint32(try[at:], binary.LittleEndian.Uint32(try[at:])-before)
				}
				if found := alike(try); found > most {
					most = found
					ways[block] = byte(1 + i*4 + phase)
					copy(written[from:], try)
				}
			}
		}
	}
	return all
}

// alike returns how many pairs of the bytes are equal.
func alike(bytes []byte) (pairs int) {
	var count [256]int
	for _, b := range bytes {
		count[b]++
	}
	for _, n := range count {
		pairs += n * n
	}
	return pairs
}
