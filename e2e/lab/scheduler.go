package main

import (
	"fmt"
	"os"

	"go.yaml.in/yaml/v3"
)

// schedulerConfiguration completes the user's KubeSchedulerConfiguration, or the default one when there is
// no file: it always sets the connection to the laboratory's API server, and lifts the client's rate limits, which
// would otherwise limit the scheduler. Everything else is the user's.
func schedulerConfiguration(path, kubeconfig string) ([]byte, error) {
	config := object{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
	if path != "" {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("the scheduler's configuration cannot be read: %w", err)
		}
		config = nil
		if err := yaml.Unmarshal(content, &config); err != nil {
			return nil, fmt.Errorf("the scheduler's configuration %s is not YAML: %w", path, err)
		}
		if config["kind"] != "KubeSchedulerConfiguration" {
			return nil, fmt.Errorf("the scheduler's configuration %s has the kind %v; give a KubeSchedulerConfiguration", path, config["kind"])
		}
	}
	connection, _ := config["clientConnection"].(object)
	if connection == nil {
		connection = object{}
	}
	connection["kubeconfig"] = kubeconfig
	setDefault(connection, "qps", 2000)
	setDefault(connection, "burst", 4000)
	config["clientConnection"] = connection
	// A single scheduler needs no election, and so no wait for a lease after it was killed.
	setDefault(config, "leaderElection", object{"leaderElect": false})
	return yaml.Marshal(config)
}

func setDefault(in object, key string, value any) {
	if _, given := in[key]; !given {
		in[key] = value
	}
}
