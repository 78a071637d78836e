package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// control serves commands about single components on loopback:
//
//	GET  {url}                     the components with their pids (0: not running) and logs
//	POST {url}/{component}/{verb}  stop, kill, start, restart, pause or continue; answers when it is done
//
// The URL holds a secret, so that no web page can guess it.
func (l *lab) control(ctx context.Context) (url string, close func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	secret := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+secret, func(writer http.ResponseWriter, _ *http.Request) {
		writeStatus(writer, l.status())
	})
	mux.HandleFunc("POST "+secret+"/{component}/{verb}", func(writer http.ResponseWriter, request *http.Request) {
		component := l.component(request.PathValue("component"))
		if component == nil {
			http.Error(writer, fmt.Sprintf("there is no %q here; there are %s", request.PathValue("component"), l.names()),
				http.StatusNotFound)
			return
		}
		// Not the request's context: a client that gives up would leave a program half started.
		if err := l.command(ctx, component, request.PathValue("verb")); err != nil {
			http.Error(writer, err.Error(), statusOf(err))
			return
		}
		writeStatus(writer, componentStatus{PID: component.pid(), Log: component.log})
	})
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String() + secret, server.Close, nil
}

var errVerb = errors.New("is not a verb; they are stop, kill, start, restart, pause and continue")

func (l *lab) command(ctx context.Context, component *component, verb string) error {
	switch verb {
	case "stop":
		return component.stop(syscall.SIGTERM)
	case "kill":
		return component.stop(syscall.SIGKILL)
	case "start":
		return component.start(ctx, l.spawn, l.site.startTimeout)
	case "restart":
		if err := component.stop(syscall.SIGTERM); err != nil {
			return err
		}
		return component.start(ctx, l.spawn, l.site.startTimeout)
	case "pause":
		return component.signal(syscall.SIGSTOP)
	case "continue":
		return component.signal(syscall.SIGCONT)
	default:
		return fmt.Errorf("%q %w", verb, errVerb)
	}
}

func statusOf(err error) int {
	switch {
	case errors.Is(err, errVerb):
		return http.StatusNotFound
	case errors.Is(err, errAlreadyRunning), errors.Is(err, errNotRunning):
		return http.StatusConflict
	default:
		return http.StatusInternalServerError
	}
}

func writeStatus(writer http.ResponseWriter, content any) {
	writer.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(writer).Encode(content)
}
