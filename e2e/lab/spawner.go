package main

import (
	"os/exec"
	"runtime"
)

// spawner starts processes on one thread that lives as long as the program. Linux kills a child with a
// parent-death signal when the *thread* that started it ends, and Go may end threads at any time.
type spawner struct {
	requests chan spawnRequest
}

type spawnRequest struct {
	command *exec.Cmd
	result  chan error
}

func newSpawner() *spawner {
	s := &spawner{requests: make(chan spawnRequest)}
	go func() {
		runtime.LockOSThread()
		for request := range s.requests {
			request.result <- request.command.Start()
		}
	}()
	return s
}

func (s *spawner) start(command *exec.Cmd) error {
	request := spawnRequest{command: command, result: make(chan error)}
	s.requests <- request
	return <-request.result
}
