package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// api is the HTTPS client of one server, as one user or anonymously.
type api struct {
	base   string
	client *http.Client
}

// newAPI trusts the authority only; with the zero pair it sends no client certificate.
func newAPI(base, authority string, user pair) (api, error) {
	trusted := x509.NewCertPool()
	authorityPEM, err := os.ReadFile(authority)
	if err != nil {
		return api{}, err
	}
	trusted.AppendCertsFromPEM(authorityPEM)
	settings := &tls.Config{RootCAs: trusted}
	if user != (pair{}) {
		certificate, err := tls.LoadX509KeyPair(user.Cert, user.Key)
		if err != nil {
			return api{}, err
		}
		settings.Certificates = []tls.Certificate{certificate}
	}
	transport := &http.Transport{TLSClientConfig: settings, MaxIdleConnsPerHost: 32}
	return api{base: base, client: &http.Client{Transport: transport, Timeout: 30 * time.Second}}, nil
}

// request sends a JSON body, unless it is nil, and decodes the JSON response into answer, unless that is nil.
func (a api) request(ctx context.Context, method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, a.base+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	received, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s", method, path, response.Status, strings.TrimSpace(string(received)))
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(received, answer)
}

// answers reports whether a path returns 2xx.
func (a api) answers(path string) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		return a.request(ctx, http.MethodGet, path, nil, nil)
	}
}
