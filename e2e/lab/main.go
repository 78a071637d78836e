// Command lab runs a real Kubernetes control plane with fake nodes on loopback, for tests; see README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: it returns the exit code when everything is stopped again.
func run(arguments []string, output, complaints io.Writer) int {
	wanted, err := parseOptions(arguments, output)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil && wanted.binaries == "" {
		wanted.binaries, err = ownFolder()
	}
	if err != nil {
		fmt.Fprintln(complaints, "lab:", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	if !wanted.outliveParent {
		ctx = untilParentEnds(ctx)
	}
	if err := serve(ctx, wanted, output, complaints); err != nil {
		fmt.Fprintln(complaints, "lab:", err)
		return exitFailed
	}
	return 0
}

// serve runs a laboratory until the context ends.
func serve(ctx context.Context, wanted options, output, complaints io.Writer) (err error) {
	began := time.Now()
	l, err := prepare(wanted, complaints)
	if err != nil {
		return err
	}
	if wanted.keep {
		fmt.Fprintln(complaints, "lab: everything stays in", l.site.folder.path)
	}
	defer func() { err = errors.Join(err, l.stop()) }()
	if err := l.start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // stopped meanwhile
		}
		return err
	}
	control, closeControl, err := l.control(ctx)
	if err != nil {
		return err
	}
	defer closeControl()
	line, err := l.describe(ctx, control, time.Since(began))
	if err != nil {
		return err
	}
	if err := json.NewEncoder(output).Encode(line); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// untilParentEnds returns a context that ends with this program's parent. The kernel's own signal for that
// would come too early: when the *thread* of the parent that started this program ends.
func untilParentEnds(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		defer cancel()
		for ctx.Err() == nil && os.Getppid() == parent {
			time.Sleep(250 * time.Millisecond)
		}
	}()
	return ctx
}

func ownFolder() (string, error) {
	self, err := os.Executable()
	return filepath.Dir(self), err
}
