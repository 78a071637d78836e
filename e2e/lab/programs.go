package main

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"
)

//go:embed auditpolicy.yaml
var auditPolicy []byte

// serviceRange is the range of cluster IPs; the API server's own certificate names its first address.
const serviceRange = "10.96.0.0/16"

// Client limits as shipped (20 to 50 requests a second) would decide how fast everything is.
const (
	clientQPS   = "--kube-api-qps=2000"
	clientBurst = "--kube-api-burst=4000"
)

// site holds what all programs of one run share: files, keys and addresses.
type site struct {
	options
	folder              folder
	keys                certificates
	ports               ports
	admin               api
	adminKubeconfig     string
	managerKubeconfig   string
	schedulerKubeconfig string
	kubectl             string
}

type ports struct {
	etcd, etcdPeer, server, controllerManager, scheduler, kwok, prometheus int
}

// The range of ports, below those that Linux uses for outgoing connections. Otherwise, a client of a stopped
// server could get the server's own port and be connected to itself.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// freePorts picks unused ports. All are held until the last is found.
func freePorts() (ports, error) {
	var found ports
	for _, port := range []*int{&found.etcd, &found.etcdPeer, &found.server, &found.controllerManager, &found.scheduler,
		&found.kwok, &found.prometheus} {
		listener, err := listenSomewhere()
		if err != nil {
			return ports{}, fmt.Errorf("there is no free port on loopback: %w", err)
		}
		defer listener.Close()
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return found, nil
}

func listenSomewhere() (listener net.Listener, err error) {
	for range 100 {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		if listener, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			return listener, nil
		}
	}
	return nil, err
}

func (s *site) server() string {
	return "https://127.0.0.1:" + strconv.Itoa(s.ports.server)
}

func (s *site) program(name string) string {
	return filepath.Join(s.binaries, name)
}

// component combines a program's command line and its readiness check.
func (s *site) component(name string, ready func(context.Context) error, arguments ...string) *component {
	command := append([]string{s.program(name)}, arguments...)
	return &component{
		name:    name,
		log:     s.folder.file(name + ".log"),
		command: func() ([]string, error) { return command, nil },
		ready:   ready,
	}
}

func (s *site) etcd() *component {
	client := "http://127.0.0.1:" + strconv.Itoa(s.ports.etcd)
	peer := "http://127.0.0.1:" + strconv.Itoa(s.ports.etcdPeer)
	return s.component("etcd", plainHTTP(client+"/readyz"),
		"--name=lab",
		"--data-dir="+s.folder.file("etcd"),
		"--listen-client-urls="+client,
		"--advertise-client-urls="+client,
		"--listen-peer-urls="+peer,
		"--initial-advertise-peer-urls="+peer,
		"--initial-cluster=lab="+peer,
		"--unsafe-no-fsync", // a crash of the machine ends the laboratory anyway
		"--log-level=warn")
}

func (s *site) apiServer(auditPolicy string) *component {
	return s.component("kube-apiserver", s.admin.answers("/readyz"), append([]string{
		"--etcd-servers=http://127.0.0.1:" + strconv.Itoa(s.ports.etcd),
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(s.ports.server),
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none", // Endpoints may not hold loopback addresses
		"--service-cluster-ip-range=" + serviceRange,
		"--tls-cert-file=" + s.keys.server.Cert,
		"--tls-private-key-file=" + s.keys.server.Key,
		"--client-ca-file=" + s.keys.authority.Cert,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + s.keys.serviceAccounts.Cert,
		"--service-account-signing-key-file=" + s.keys.serviceAccounts.Key,
		"--requestheader-client-ca-file=" + s.keys.frontProxyAuthority.Cert,
		"--requestheader-allowed-names=" + frontProxyName,
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + s.keys.frontProxy.Cert,
		"--proxy-client-key-file=" + s.keys.frontProxy.Key,
		"--audit-policy-file=" + auditPolicy,
		"--audit-log-path=" + s.auditLog(),
		"--runtime-config=" + s.runtimeConfig,
		"--enable-admission-plugins=" + s.admissionPlugins,
	}, s.gates()...)...)
}

func (s *site) auditLog() string {
	return s.folder.file("audit.log")
}

func (s *site) controllerManager(ready func(context.Context) error) *component {
	return s.component("kube-controller-manager", ready, append([]string{
		"--kubeconfig=" + s.managerKubeconfig,
		"--authentication-kubeconfig=" + s.managerKubeconfig,
		"--authorization-kubeconfig=" + s.managerKubeconfig,
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(s.ports.controllerManager),
		"--tls-cert-file=" + s.keys.server.Cert,
		"--tls-private-key-file=" + s.keys.server.Key,
		"--root-ca-file=" + s.keys.authority.Cert,
		"--service-account-private-key-file=" + s.keys.serviceAccounts.Key,
		"--use-service-account-credentials=true",
		"--leader-elect=false",
		// KWOK renews leases every 50 s; and no node is lost while the API server is down.
		"--node-monitor-grace-period=10m",
		"--horizontal-pod-autoscaler-sync-period=" + s.hpaSyncPeriod.String(),
		clientQPS,
		clientBurst,
	}, s.gates()...)...)
}

// scheduler renders its configuration at every start, so that a restart applies changes by the user.
func (s *site) scheduler(ready func(context.Context) error) *component {
	scheduler := s.component("kube-scheduler", ready)
	scheduler.command = func() ([]string, error) {
		configuration, err := schedulerConfiguration(s.schedulerConfig, s.schedulerKubeconfig)
		if err != nil {
			return nil, err
		}
		path, err := s.folder.write("scheduler.yaml", configuration)
		return append([]string{
			s.program("kube-scheduler"),
			"--config=" + path,
			"--authentication-kubeconfig=" + s.schedulerKubeconfig,
			"--authorization-kubeconfig=" + s.schedulerKubeconfig,
			"--bind-address=127.0.0.1",
			"--secure-port=" + strconv.Itoa(s.ports.scheduler),
			"--tls-cert-file=" + s.keys.server.Cert,
			"--tls-private-key-file=" + s.keys.server.Key,
		}, s.gates()...), err
	}
	return scheduler
}

func (s *site) kwok(stages string) *component {
	address := "127.0.0.1:" + strconv.Itoa(s.ports.kwok)
	return s.component("kwok", plainHTTP("http://"+address+"/healthz"),
		"--kubeconfig="+s.adminKubeconfig,
		"--config="+stages,
		"--manage-all-nodes",
		"--server-address="+address,
		// Without leases the nodes would be evicted after 40 s; a long lease costs little at 1,000 nodes.
		"--node-lease-duration-seconds=200")
}

func (s *site) prometheus() *component {
	address := "127.0.0.1:" + strconv.Itoa(s.ports.prometheus)
	return s.component("prometheus", plainHTTP("http://"+address+"/-/ready"),
		"--config.file="+s.prometheusConfig,
		"--storage.tsdb.path="+s.folder.file("prometheus"),
		"--web.listen-address="+address,
		"--web.enable-lifecycle")
}

func (s *site) gates() []string {
	if s.featureGates == "" {
		return nil
	}
	return []string{"--feature-gates=" + s.featureGates}
}

func plainHTTP(address string) func(context.Context) error {
	client := api{base: address, client: &http.Client{Timeout: 5 * time.Second}}
	return client.answers("")
}
