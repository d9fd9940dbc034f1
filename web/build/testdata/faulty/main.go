package main

import "runtime"

type node struct {
	next *node
	pad  [100]byte
}

//go:noinline
func deep(n int, list *node) int {
	if n == 0 {
		for range 50 { // a stack that is walked while it is collected
			list = &node{next: list}
			runtime.GC()
		}
		var none []int
		return none[n]
	}
	return deep(n-1, &node{next: list}) + 1
}

func recovered() (text string) {
	defer func() {
		if recover() != nil {
			buffer := make([]byte, 16<<10)
			text = string(buffer[:runtime.Stack(buffer, false)])
		}
	}()
	deep(200, nil)
	return "no fault"
}

func main() {
	println(recovered())
	done := make(chan int)
	go func() { done <- deep2() }()
	println(<-done)
}

func deep2() int {
	defer func() { recover() }()
	m := map[string]int{}
	for i := range 1000 {
		m[string(rune(i))] = i
	}
	return len(m)
}
