package main

import (
	"encoding/base64"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// writeKubeconfig writes a kubeconfig that needs no other file and returns its path.
func writeKubeconfig(in folder, name, server, authority string, user pair) (string, error) {
	var contents [3][]byte
	for i, path := range []string{authority, user.Cert, user.Key} {
		content, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		contents[i] = content
	}
	config := object{
		"apiVersion":      "v1",
		"kind":            "Config",
		"current-context": "lab",
		"contexts":        []object{{"name": "lab", "context": object{"cluster": "lab", "user": "lab"}}},
		"clusters": []object{{"name": "lab", "cluster": object{
			"server": server, "certificate-authority-data": base64.StdEncoding.EncodeToString(contents[0])}}},
		"users": []object{{"name": "lab", "user": object{
			"client-certificate-data": base64.StdEncoding.EncodeToString(contents[1]), "client-key-data": base64.StdEncoding.EncodeToString(contents[2])}}},
	}
	encoded, err := yaml.Marshal(config)
	if err != nil {
		return "", err
	}
	return in.write(name+".kubeconfig", encoded)
}

// writeKubectl writes a kubectl that talks to this laboratory only. Its discovery cache is in the folder: in the
// user's own cache, a later laboratory on the same port would be mistaken for this one.
func writeKubectl(in folder, program, kubeconfig string) (string, error) {
	quoted := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	script := "#!/bin/sh\n" +
		"export KUBECONFIG=" + quoted(kubeconfig) + " KUBECACHEDIR=" + quoted(in.file("kubectl-cache")) + "\n" +
		"exec " + quoted(program) + ` "$@"` + "\n"
	path := in.file("kubectl")
	return path, os.WriteFile(path, []byte(script), 0o700)
}
