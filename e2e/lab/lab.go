package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// lab is one running laboratory. Its components are in starting order.
type lab struct {
	site       site
	components []*component
	spawn      *spawner
}

// readyLine describes a laboratory, as one line of JSON.
type readyLine struct {
	Version         string                     `json:"version"`
	StartSeconds    float64                    `json:"startSeconds"`
	Folder          string                     `json:"folder"`
	Kubeconfig      string                     `json:"kubeconfig"`
	Server          string                     `json:"server"`
	Kubectl         string                     `json:"kubectl"`
	Authority       pair                       `json:"authority"`
	FrontProxy      frontProxyFiles            `json:"frontProxy"`
	AuditLog        string                     `json:"auditLog"`
	Control         string                     `json:"control"`
	Prometheus      string                     `json:"prometheus,omitempty"`
	ServiceAccounts pair                       `json:"serviceAccounts"`
	Components      map[string]componentStatus `json:"components"`
}

type frontProxyFiles struct {
	Authority pair `json:"authority"`
	Client    pair `json:"client"`
	Stranger  pair `json:"stranger"`
}

type componentStatus struct {
	PID int    `json:"pid"`
	Log string `json:"log"`
}

// prepare writes every file that the programs need, but starts none. Messages about programs that end
// unexpectedly go to complaints.
func prepare(wanted options, complaints io.Writer) (*lab, error) {
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"} {
		if _, err := os.Stat(filepath.Join(wanted.binaries, name)); err != nil {
			return nil, fmt.Errorf("%s is not in the folder %s; run e2e/lab/build, which prints the right one for --binaries",
				name, wanted.binaries)
		}
	}
	place, err := makeFolder(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("no folder can be made in %s: %w", os.TempDir(), err)
	}
	made := &lab{site: site{options: wanted, folder: place}, spawn: newSpawner()}
	if err := made.furnish(); err != nil {
		return nil, errors.Join(err, place.leave(false))
	}
	for _, component := range made.components {
		component.lost = func(message string) { fmt.Fprintln(complaints, "lab: "+message) }
	}
	return made, nil
}

func (l *lab) furnish() (err error) {
	s := &l.site
	if s.keys, err = writeCertificates(s.folder.path, time.Now()); err != nil {
		return err
	}
	if s.ports, err = freePorts(); err != nil {
		return err
	}
	if s.admin, err = newAPI(s.server(), s.keys.authority.Cert, s.keys.admin); err != nil {
		return err
	}
	for name, config := range map[string]struct {
		user   pair
		target *string
	}{
		"admin":              {s.keys.admin, &s.adminKubeconfig},
		"controller-manager": {s.keys.controllerManager, &s.managerKubeconfig},
		"scheduler":          {s.keys.scheduler, &s.schedulerKubeconfig},
	} {
		if *config.target, err = writeKubeconfig(s.folder, name, s.server(), s.keys.authority.Cert, config.user); err != nil {
			return err
		}
	}
	if s.kubectl, err = writeKubectl(s.folder, s.program("kubectl"), s.adminKubeconfig); err != nil {
		return err
	}
	return l.equip()
}

// equip lists the programs.
func (l *lab) equip() error {
	s := &l.site
	policy, err := s.folder.write("audit-policy.yaml", auditPolicy)
	if err != nil {
		return err
	}
	rendered, err := kwokStages(s.imagePullDelay, s.podStartDelay)
	if err != nil {
		return err
	}
	stages, err := s.folder.write("kwok.yaml", rendered)
	if err != nil {
		return err
	}
	manager, err := newAPI("https://127.0.0.1:"+strconv.Itoa(s.ports.controllerManager), s.keys.authority.Cert, pair{})
	if err != nil {
		return err
	}
	scheduler, err := newAPI("https://127.0.0.1:"+strconv.Itoa(s.ports.scheduler), s.keys.authority.Cert, pair{})
	if err != nil {
		return err
	}
	l.components = []*component{
		s.etcd(),
		s.apiServer(policy),
		s.controllerManager(manager.answers("/healthz")),
		s.scheduler(scheduler.answers("/healthz")),
		s.kwok(stages),
	}
	if s.prometheusConfig != "" {
		l.components = append(l.components, s.prometheus())
	}
	return nil
}

// start starts everything: etcd, then the API server, then the others at the same time, then the nodes.
func (l *lab) start(ctx context.Context) error {
	for _, component := range l.components[:2] {
		if err := component.start(ctx, l.spawn, l.site.startTimeout); err != nil {
			return err
		}
	}
	var group sync.WaitGroup
	rest := l.components[2:]
	failures := make([]error, len(rest))
	for i, component := range rest {
		group.Go(func() { failures[i] = component.start(ctx, l.spawn, l.site.startTimeout) })
	}
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	if err := createNodes(ctx, l.site.admin, l.site.nodes, l.site.gpusPerNode); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, l.site.startTimeout)
	defer cancel()
	return awaitPods(ctx, l.site.admin, l.site.nodes)
}

// stop ends everything, the API server before etcd, because it would wait for etcd otherwise, and removes
// the folder.
func (l *lab) stop() error {
	var group sync.WaitGroup
	for _, component := range l.components[1:] {
		group.Go(func() { _ = component.stop(syscall.SIGTERM) })
	}
	group.Wait()
	_ = l.components[0].stop(syscall.SIGTERM)
	return l.site.folder.leave(l.site.keep)
}

func (l *lab) component(name string) *component {
	for _, component := range l.components {
		if component.name == name {
			return component
		}
	}
	return nil
}

func (l *lab) names() string {
	var names []string
	for _, component := range l.components {
		names = append(names, component.name)
	}
	return strings.Join(names, ", ")
}

func (l *lab) status() map[string]componentStatus {
	status := make(map[string]componentStatus)
	for _, component := range l.components {
		status[component.name] = componentStatus{PID: component.pid(), Log: component.log}
	}
	return status
}

// describe asks the API server for its version.
func (l *lab) describe(ctx context.Context, control string, took time.Duration) (readyLine, error) {
	s := &l.site
	var version struct{ GitVersion string }
	if err := s.admin.request(ctx, "GET", "/version", nil, &version); err != nil {
		return readyLine{}, err
	}
	line := readyLine{
		Version:         version.GitVersion,
		StartSeconds:    float64(took.Milliseconds()) / 1000,
		Folder:          s.folder.path,
		Kubeconfig:      s.adminKubeconfig,
		Server:          s.server(),
		Kubectl:         s.kubectl,
		Authority:       s.keys.authority,
		FrontProxy:      frontProxyFiles{s.keys.frontProxyAuthority, s.keys.frontProxy, s.keys.frontProxyStranger},
		AuditLog:        s.auditLog(),
		Control:         control,
		ServiceAccounts: s.keys.serviceAccounts,
		Components:      l.status(),
	}
	if s.prometheusConfig != "" {
		line.Prometheus = "http://127.0.0.1:" + strconv.Itoa(s.ports.prometheus)
	}
	return line, nil
}
