package main

import (
	"os"
	"path/filepath"
	"syscall"
)

const folderPattern = "prescale-lab-"

// folder holds all files of one run. A run locks its lock file, so that later runs detect that it
// is in use; a folder without a lock file is kept.
type folder struct {
	path string
	lock *os.File
}

// makeFolder creates a folder, and removes those left behind by killed runs.
func makeFolder(parent string) (folder, error) {
	removeAbandoned(parent)
	path, err := os.MkdirTemp(parent, folderPattern)
	if err != nil {
		return folder{}, err
	}
	lock, err := os.Create(filepath.Join(path, "lock"))
	if err != nil {
		return folder{}, err
	}
	return folder{path: path, lock: lock}, syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
}

func (f folder) file(name string) string {
	return filepath.Join(f.path, name)
}

func (f folder) write(name string, content []byte) (string, error) {
	path := f.file(name)
	return path, os.WriteFile(path, content, 0o600)
}

// leave removes the folder, or protects it from removal.
func (f folder) leave(keep bool) error {
	defer f.lock.Close()
	if keep {
		return os.Remove(f.lock.Name())
	}
	return os.RemoveAll(f.path)
}

func removeAbandoned(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, folderPattern+"*", "lock"))
	for _, path := range locks {
		lock, err := os.Open(path)
		if err != nil {
			continue
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(filepath.Dir(path))
		}
		lock.Close()
	}
}
