package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// stopPatience is how long a program may take to stop. A kube-apiserver would wait a minute for its
// watchers to disconnect.
const stopPatience = 5 * time.Second

// logTail is how much of a log an error shows.
const logTail = 2000

// component is one program of the laboratory. It can be restarted on the same addresses and files, and
// appends to the same log.
type component struct {
	name    string
	log     string
	command func() ([]string, error)        // evaluated at every start, so that it sees changed files
	ready   func(ctx context.Context) error // nil when it serves
	lost    func(message string)            // called when it ends unexpectedly

	operation sync.Mutex // one at a time
	latest    atomic.Pointer[process]
}

// process is one run of a component.
type process struct {
	command *exec.Cmd
	ended   chan struct{} // closed when the program has ended and err is set
	err     error
	wanted  atomic.Bool // its end was requested
}

// running is false for nil, a program that was never started.
func (p *process) running() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

var errAlreadyRunning = errors.New("is running already")
var errNotRunning = errors.New("is not running")

// start runs the program and waits until it is ready. If it is not ready in time, or ends before, it is
// stopped, and the error shows the end of its log.
func (c *component) start(ctx context.Context, spawn *spawner, patience time.Duration) error {
	c.operation.Lock()
	defer c.operation.Unlock()
	if c.latest.Load().running() {
		return fmt.Errorf("%s %w", c.name, errAlreadyRunning)
	}
	arguments, err := c.command()
	if err != nil {
		return err
	}
	started, err := c.spawn(spawn, arguments)
	if err != nil {
		return fmt.Errorf("%s did not start: %w", c.name, err)
	}
	c.latest.Store(started)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := c.awaitReady(ctx, started); err != nil {
		c.end(started, syscall.SIGKILL)
		return fmt.Errorf("%w; the end of its log %s:\n%s", err, c.log, tail(c.log))
	}
	return nil
}

func (c *component) spawn(spawn *spawner, arguments []string) (*process, error) {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Dir = filepath.Dir(c.log)
	command.Stdout, command.Stderr = log, log
	// Not in our group: a Ctrl-C in the terminal would end all of them at once, in no order.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := spawn.start(command); err != nil {
		return nil, err
	}
	life := &process{command: command, ended: make(chan struct{})}
	go func() {
		life.err = command.Wait()
		close(life.ended)
		if !life.wanted.Load() {
			c.lost(fmt.Sprintf("%s ended by itself (%s); its log is %s", c.name, outcome(life.err), c.log))
		}
	}()
	return life, nil
}

func (c *component) awaitReady(ctx context.Context, life *process) error {
	var last error
	for {
		if last = c.ready(ctx); last == nil {
			return nil
		}
		select {
		case <-life.ended:
			return fmt.Errorf("%s ended while it started (%s)", c.name, outcome(life.err))
		case <-ctx.Done():
			return fmt.Errorf("%s was not ready in time (%w)", c.name, last)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// stop ends the program with a signal and waits for that; one that does not end is killed.
func (c *component) stop(signal syscall.Signal) error {
	c.operation.Lock()
	defer c.operation.Unlock()
	life := c.latest.Load()
	if !life.running() {
		return fmt.Errorf("%s %w", c.name, errNotRunning)
	}
	c.end(life, signal)
	return nil
}

func (c *component) end(life *process, signal syscall.Signal) {
	life.wanted.Store(true)
	_ = life.command.Process.Signal(signal)
	_ = life.command.Process.Signal(syscall.SIGCONT) // a paused one handles no other signal
	select {
	case <-life.ended:
	case <-time.After(stopPatience):
		_ = life.command.Process.Kill()
		<-life.ended
	}
}

// signal sends a signal that does not end the program.
func (c *component) signal(signal syscall.Signal) error {
	c.operation.Lock()
	defer c.operation.Unlock()
	life := c.latest.Load()
	if !life.running() {
		return fmt.Errorf("%s %w", c.name, errNotRunning)
	}
	return life.command.Process.Signal(signal)
}

// pid is 0 if the program does not run. It does not wait for operations.
func (c *component) pid() int {
	life := c.latest.Load()
	if !life.running() {
		return 0
	}
	return life.command.Process.Pid
}

func outcome(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// tail is the end of a file, from the beginning of a line.
func tail(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err.Error()
	}
	start := max(0, info.Size()-logTail)
	content, err := io.ReadAll(io.NewSectionReader(file, start, logTail))
	if err != nil {
		return err.Error()
	}
	if start > 0 {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	if len(content) == 0 {
		return "(it is empty)"
	}
	return string(content)
}
