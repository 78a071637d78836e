package main

import (
	"os"
	"testing"
)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func made(t *testing.T, parent string) folder {
	t.Helper()
	result, err := makeFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestAFolderIsGoneAfterItsRun(t *testing.T) {
	place := made(t, t.TempDir())
	if _, err := place.write("a", []byte("b")); err != nil {
		t.Fatal(err)
	}
	if err := place.leave(false); err != nil || exists(place.path) {
		t.Errorf("%v; still there: %t", err, exists(place.path))
	}
}

func TestRemovesWhatAKilledRunLeftAndNothingElse(t *testing.T) {
	parent := t.TempDir()
	killed, kept, living := made(t, parent), made(t, parent), made(t, parent)
	killed.lock.Close() // as the kernel does
	if err := kept.leave(true); err != nil {
		t.Fatal(err)
	}
	made(t, parent)
	if exists(killed.path) || !exists(kept.path) || !exists(living.path) {
		t.Errorf("killed %t, kept %t, living %t", exists(killed.path), exists(kept.path), exists(living.path))
	}
}

func TestRefusesAFolderThatCannotBeMade(t *testing.T) {
	if _, err := makeFolder("/proc/nowhere"); err == nil {
		t.Error("no error")
	}
}
