package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// pair names the files of a certificate and its key.
type pair struct {
	Cert string `json:"cert"`
	Key  string `json:"key"`
}

// certificates are the keys of one control plane, valid as long as its folder exists.
type certificates struct {
	authority         pair // signs serving certificates and those of users
	server            pair
	admin             pair
	controllerManager pair
	scheduler         pair
	// The front proxy has its own authority: a holder of a certificate from it may act on behalf of any user.
	frontProxyAuthority pair
	frontProxy          pair
	frontProxyStranger  pair // signed by the front proxy's authority, under a name that is not allowed
	serviceAccounts     pair // Cert is the public key
}

const (
	frontProxyName = "front-proxy-client"
	validity       = 7 * 24 * time.Hour
)

// writeCertificates makes all certificates and writes them into the folder.
func writeCertificates(folder string, now time.Time) (certificates, error) {
	writer := certificateWriter{folder: folder, now: now}
	var made certificates
	authority := writer.authority("ca", &made.authority)
	writer.signed("server", authority, pkix.Name{CommonName: "kube-apiserver"}, x509.ExtKeyUsageServerAuth, &made.server)
	client := func(file string, by issuer, name pkix.Name, target *pair) {
		writer.signed(file, by, name, x509.ExtKeyUsageClientAuth, target)
	}
	client("admin", authority, pkix.Name{CommonName: "lab-admin", Organization: []string{"system:masters"}}, &made.admin)
	client("controller-manager", authority, pkix.Name{CommonName: "system:kube-controller-manager"}, &made.controllerManager)
	client("scheduler", authority, pkix.Name{CommonName: "system:kube-scheduler"}, &made.scheduler)
	frontProxy := writer.authority("front-proxy-ca", &made.frontProxyAuthority)
	client("front-proxy", frontProxy, pkix.Name{CommonName: frontProxyName}, &made.frontProxy)
	client("front-proxy-stranger", frontProxy, pkix.Name{CommonName: "stranger"}, &made.frontProxyStranger)
	writer.serviceAccounts(&made.serviceAccounts)
	return made, writer.err
}

type issuer struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// certificateWriter keeps the first error and then does nothing.
type certificateWriter struct {
	folder string
	now    time.Time
	err    error
}

func (w *certificateWriter) authority(file string, target *pair) issuer {
	template := w.template(pkix.Name{CommonName: "lab-" + file})
	template.IsCA = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	key := w.key()
	self := issuer{certificate: template, key: key}
	w.write(file, template, self, key, target)
	return self
}

func (w *certificateWriter) signed(file string, by issuer, name pkix.Name, usage x509.ExtKeyUsage, target *pair) {
	template := w.template(name)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	if usage == x509.ExtKeyUsageServerAuth {
		template.DNSNames = []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"}
		template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 96, 0, 1)}
	}
	w.write(file, template, by, w.key(), target)
}

func (w *certificateWriter) template(name pkix.Name) *x509.Certificate {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	w.keep(err)
	return &x509.Certificate{
		SerialNumber:          serial,
		Subject:               name,
		NotBefore:             w.now.Add(-time.Hour),
		NotAfter:              w.now.Add(validity),
		BasicConstraintsValid: true,
	}
}

func (w *certificateWriter) key() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	w.keep(err)
	return key
}

func (w *certificateWriter) write(file string, template *x509.Certificate, by issuer, key *ecdsa.PrivateKey, target *pair) {
	if w.err != nil {
		return
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, by.certificate, key.Public(), by.key)
	w.keep(err)
	target.Cert = w.pem(file+".crt", "CERTIFICATE", signed, 0o644)
	target.Key = w.privateKey(file, key)
}

func (w *certificateWriter) serviceAccounts(target *pair) {
	key := w.key()
	if w.err != nil {
		return
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	w.keep(err)
	target.Cert = w.pem("service-accounts.pub", "PUBLIC KEY", public, 0o644)
	target.Key = w.privateKey("service-accounts", key)
}

// privateKey writes PKCS #8, which Java reads as well.
func (w *certificateWriter) privateKey(file string, key *ecdsa.PrivateKey) string {
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	w.keep(err)
	return w.pem(file+".key", "PRIVATE KEY", encoded, 0o600)
}

func (w *certificateWriter) pem(file, kind string, content []byte, mode os.FileMode) string {
	path := filepath.Join(w.folder, file)
	if w.err == nil {
		w.keep(os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), mode))
	}
	return path
}

func (w *certificateWriter) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}
