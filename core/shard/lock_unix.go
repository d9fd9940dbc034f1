//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package shard

import (
	"errors"
	"os"
	"syscall"
)

// errTaken is the error of [lock] if another process has locked the file.
var errTaken = errors.New("taken")

// lock locks a file until this process ends, in whatever way.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errTaken
	}
	return err
}
