package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func completed(t *testing.T, content string) (object, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scheduler.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	rendered, err := schedulerConfiguration(path, "/lab/scheduler.kubeconfig")
	if err != nil {
		return nil, err
	}
	var result object
	return result, yaml.Unmarshal(rendered, &result)
}

func TestTheDefaultSchedulerConfigurationIsCompleteAndFast(t *testing.T) {
	rendered, err := schedulerConfiguration("", "/lab/scheduler.kubeconfig")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"apiVersion: kubescheduler.config.k8s.io/v1", "kind: KubeSchedulerConfiguration",
		"kubeconfig: /lab/scheduler.kubeconfig", "qps: 2000", "burst: 4000", "leaderElect: false",
	} {
		if !strings.Contains(string(rendered), line) {
			t.Errorf("%q is not in\n%s", line, rendered)
		}
	}
}

func TestKeepsWhatTheUserConfigured(t *testing.T) {
	result, err := completed(t, `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
clientConnection: {kubeconfig: /elsewhere, qps: 50}
leaderElection: {leaderElect: true}
extenders:
- {urlPrefix: "http://localhost:1/extender", filterVerb: filter, nodeCacheCapable: true}
`)
	if err != nil {
		t.Fatal(err)
	}
	connection := result["clientConnection"].(object)
	if connection["kubeconfig"] != "/lab/scheduler.kubeconfig" || connection["qps"] != 50 || connection["burst"] != 4000 {
		t.Errorf("got %v", connection)
	}
	if result["percentageOfNodesToScore"] != 100 || len(result["extenders"].([]any)) != 1 ||
		result["leaderElection"].(object)["leaderElect"] != true {
		t.Errorf("got %v", result)
	}
}

func TestRefusesWhatIsNoSchedulerConfiguration(t *testing.T) {
	for content, expected := range map[string]string{
		"":                  "has the kind <nil>; give a KubeSchedulerConfiguration",
		"kind: Deployment":  "has the kind Deployment; give a KubeSchedulerConfiguration",
		"a: [":              "is not YAML",
		"- kind: something": "is not YAML",
		"\x00\xff":          "is not YAML",
	} {
		_, err := completed(t, content)
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: got %v, expected %q in it", content, err, expected)
		}
	}
}
