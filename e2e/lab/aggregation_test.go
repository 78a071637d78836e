package main

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// TestAnAggregatedAPIIsReachedOnLoopback shows how to test an aggregated API: a Service of type
// ExternalName stands for a server on this machine, and TLS and the request headers are the real ones.
func TestAnAggregatedAPIIsReachedOnLoopback(t *testing.T) {
	line := started(t, "--nodes=0")
	writer := certificateWriter{folder: t.TempDir(), now: time.Now()}
	var authority, serving pair
	writer.serverFor("load.default.svc", &authority, &serving)
	if writer.err != nil {
		t.Fatal(writer.err)
	}
	port := serveLoad(t, serving, line.FrontProxy.Authority)
	caBundle, err := os.ReadFile(authority.Cert)
	if err != nil {
		t.Fatal(err)
	}
	admin := line.admin(t)
	for path, body := range map[string]object{
		"/api/v1/namespaces/default/services": {
			"apiVersion": "v1", "kind": "Service", "metadata": object{"name": "load"},
			"spec": object{"type": "ExternalName", "externalName": "localhost", "ports": []object{{"port": port}}},
		},
		"/apis/apiregistration.k8s.io/v1/apiservices": {
			"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
			"metadata": object{"name": "v1beta1.external.metrics.k8s.io"},
			"spec": object{
				"group": "external.metrics.k8s.io", "version": "v1beta1",
				"groupPriorityMinimum": 100, "versionPriority": 100, "caBundle": caBundle,
				"service": object{"name": "load", "namespace": "default", "port": port},
			},
		},
	} {
		if err := admin.request(t.Context(), "POST", path, body, nil); err != nil {
			t.Fatal(err)
		}
	}
	var answer struct{ User, Group, Proxy string }
	eventually(t, "the API server hands requests on", func() error {
		return admin.request(t.Context(), "GET", "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/load", nil, &answer)
	})
	if answer.User != "lab-admin" || answer.Group != "system:masters" || answer.Proxy != frontProxyName {
		t.Errorf("got %+v", answer)
	}
}

// serverFor makes a certificate for one host, and the authority of it.
func (w *certificateWriter) serverFor(host string, authority, target *pair) {
	by := w.authority("serving-ca", authority)
	template := w.template(pkix.Name{CommonName: host})
	template.DNSNames = []string{host}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	w.write("serving", template, by, w.key(), target)
}

// serveLoad serves an API that returns the name of its caller, and accepts only the front proxy.
func serveLoad(t *testing.T, serving, frontProxy pair) (port int) {
	t.Helper()
	certificate, err := tls.LoadX509KeyPair(serving.Cert, serving.Key)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	content, err := os.ReadFile(frontProxy.Cert)
	if err != nil || !trusted.AppendCertsFromPEM(content) {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(writer).Encode(object{
			"kind": "ExternalMetricValueList", "apiVersion": "external.metrics.k8s.io/v1beta1", "path": request.URL.Path,
			"user": request.Header.Get("X-Remote-User"), "group": request.Header.Get("X-Remote-Group"),
			"proxy": request.TLS.PeerCertificates[0].Subject.CommonName,
		})
	}))
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientCAs:    trusted,
		ClientAuth:   tls.RequireAndVerifyClientCert,
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().(*net.TCPAddr).Port
}
