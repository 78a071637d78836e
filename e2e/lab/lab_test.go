package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const patience = 2 * time.Minute

// programs is the folder that e2e/lab/build printed. Tests that need a control plane are skipped without.
func programs(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("PRESCALE_LAB_PROGRAMS")
	if folder == "" {
		t.Skip("needs the programs: PRESCALE_LAB_PROGRAMS=$(./build) go test ./...")
	}
	return folder
}

// started runs a laboratory in this process; it is stopped, and looked after, at the end of the test.
func started(t *testing.T, arguments ...string) readyLine {
	t.Helper()
	wanted, err := parseOptions(append([]string{"--binaries", programs(t)}, arguments...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	var complaints lockedText
	ended := make(chan error, 1)
	go func() {
		err := serve(ctx, wanted, writer, &complaints)
		writer.CloseWithError(errors.Join(err, io.EOF))
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(complaints.String())
		}
	})
	var line readyLine
	if err := json.NewDecoder(reader).Decode(&line); err != nil {
		t.Fatal(err)
	}
	return line
}

type lockedText struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (l *lockedText) Write(content []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(content)
}

func (l *lockedText) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

func (r readyLine) admin(t *testing.T) api {
	t.Helper()
	user := pair{Cert: filepath.Join(r.Folder, "admin.crt"), Key: filepath.Join(r.Folder, "admin.key")}
	client, err := newAPI(r.Server, r.Authority.Cert, user)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func eventually(t *testing.T, what string, holds func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func alive(pid int) bool {
	return syscall.Kill(pid, 0) == nil
}

func TestShowsTheLogOfAProgramThatDoesNotStart(t *testing.T) {
	wanted, err := parseOptions([]string{"--binaries", programs(t), "--feature-gates=Nonsense=true"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	err = serve(t.Context(), wanted, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended while it started (exit status 1)") ||
		!strings.Contains(err.Error(), "unrecognized feature gate: Nonsense") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestComponentsStopAndStartOnCommand(t *testing.T) {
	line := started(t, "--nodes=1")
	for _, step := range []struct {
		command string
		status  int
		answer  string
		pid     bool
	}{
		{"kube-scheduler/kill", 200, `"pid":0`, false},
		{"kube-scheduler/kill", 409, "kube-scheduler is not running", false},
		{"kube-scheduler/start", 200, `"log":`, true},
		{"kube-scheduler/start", 409, "kube-scheduler is running already", true},
		{"kube-scheduler/pause", 200, `"log":`, true},
		{"kube-scheduler/restart", 200, `"log":`, true},
		{"kube-apiserver/kill", 200, `"pid":0`, false},
		{"kube-apiserver/start", 200, `"log":`, true},
		{"kubelet/start", 404, `there is no "kubelet" here; there are etcd, kube-apiserver,`, false},
		{"kwok/jump", 404, `"jump" is not a verb; they are stop, kill, start,`, true},
	} {
		response, err := http.Post(line.Control+"/"+step.command, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != step.status || !strings.Contains(string(answer), step.answer) {
			t.Errorf("%s: %d %s %v", step.command, response.StatusCode, answer, err)
		}
		var status map[string]componentStatus
		if err := (api{base: line.Control, client: http.DefaultClient}).request(t.Context(), "GET", "", nil, &status); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(step.command, "/")
		if (status[name].PID != 0) != step.pid {
			t.Errorf("%s: %+v", step.command, status[name])
		}
	}
	if err := line.admin(t).answers("/api/v1/nodes/node-0000")(t.Context()); err != nil {
		t.Errorf("the node did not survive: %v", err)
	}
	if response, err := http.Get(strings.TrimSuffix(line.Control, "A") + "x"); err != nil || response.StatusCode != 404 {
		t.Errorf("a wrong secret: %v %v", response, err)
	}
}

// launched is the program itself, started by a shell that has nothing else to do.
func launched(t *testing.T) (shell *exec.Cmd, line readyLine, pid int) {
	t.Helper()
	script := `"$0"/lab --nodes=0 & echo $!; wait`
	shell = exec.Command("sh", "-c", script, programs(t))
	shell.Stderr = os.Stderr
	output, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(bufio.NewReader(output))
	if err := errors.Join(lines.Decode(&pid), lines.Decode(&line)); err != nil {
		t.Fatal(err)
	}
	return shell, line, pid
}

func TestStopsWhenItsParentIsKilled(t *testing.T) {
	shell, line, pid := launched(t)
	if err := shell.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait()
	eventually(t, "the laboratory ends", func() error { return gone(pid, line) })
	if exists(line.Folder) {
		t.Errorf("%s is left", line.Folder)
	}
}

func TestItsProgramsDieWithItWhenItIsKilled(t *testing.T) {
	shell, line, pid := launched(t)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = shell.Wait()
	eventually(t, "all programs end", func() error { return gone(pid, line) })
	removeAbandoned(os.TempDir())
	if exists(line.Folder) {
		t.Errorf("%s is left after the next run began", line.Folder)
	}
}

func gone(pid int, line readyLine) error {
	if alive(pid) {
		return errors.New("lab lives")
	}
	for name, component := range line.Components {
		if alive(component.PID) {
			return errors.New(name + " lives")
		}
	}
	return nil
}
