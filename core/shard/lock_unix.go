//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package shard

import (
	"errors"
	"os"
	"syscall"
)

// errTaken is the error of [lock] where another process has the file.
var errTaken = errors.New("taken")

// lock keeps other processes from a file until this one ends, however it does.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errTaken
	}
	return err
}
