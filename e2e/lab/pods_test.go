package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

type podList struct {
	Items []struct {
		Status struct {
			Phase      string
			Conditions []struct {
				Type, Status       string
				LastTransitionTime time.Time
			}
			ContainerStatuses []struct {
				State struct {
					Running struct{ StartedAt time.Time }
				}
			}
		}
	}
}

func TestPodsPullTheirImageAndThenStart(t *testing.T) {
	line := started(t, "--nodes=1", "--image-pull-delay=2s", "--pod-start-delay=p0=3s,p50=4s,p100=6s")
	admin := line.admin(t)
	for index := range 20 {
		if err := admin.request(t.Context(), "POST", "/api/v1/namespaces/default/pods", testPod(index), nil); err != nil {
			t.Fatal(err)
		}
	}
	var pods podList
	eventually(t, "the pods get ready", func() error {
		pods = podList{}
		if err := admin.request(t.Context(), "GET", "/api/v1/namespaces/default/pods", nil, &pods); err != nil {
			return err
		}
		for _, pod := range pods.Items {
			for _, condition := range pod.Status.Conditions {
				if condition.Type == "Ready" && condition.Status != "True" {
					return fmt.Errorf("one is %s", pod.Status.Phase)
				}
			}
			if pod.Status.Phase != "Running" {
				return fmt.Errorf("one is %s", pod.Status.Phase)
			}
		}
		return nil
	})
	for _, pod := range pods.Items {
		times := map[string]time.Time{}
		for _, condition := range pod.Status.Conditions {
			times[condition.Type] = condition.LastTransitionTime
		}
		running := pod.Status.ContainerStatuses[0].State.Running.StartedAt
		// Times in the API have whole seconds.
		if pull := running.Sub(times["PodScheduled"]); pull < time.Second {
			t.Errorf("pulled in %v", pull)
		}
		if start := times["Ready"].Sub(running); start < 2*time.Second {
			t.Errorf("started in %v", start)
		}
		if times["Initialized"] != running {
			t.Errorf("initialized %v, running %v", times["Initialized"], running)
		}
	}
	output, err := exec.Command(line.Kubectl, "get", "events", "--field-selector=reason=Pulled", "-o", "name").Output()
	if pulled := strings.Count(string(output), "event/"); err != nil || pulled != 20 {
		t.Errorf("%d events of pulled images, %v", pulled, err)
	}
}

func testPod(index int) object {
	return object{
		"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": fmt.Sprintf("pod-%d", index)},
		"spec": object{
			"containers":     []object{{"name": "model", "image": "model"}},
			"initContainers": []object{{"name": "weights", "image": "weights"}},
		},
	}
}

func TestAJobCompletes(t *testing.T) {
	line := started(t, "--nodes=1", "--pod-start-delay=0s")
	for _, arguments := range [][]string{
		{"create", "job", "batch", "--image=batch"},
		{"wait", "job/batch", "--for=condition=Complete", "--timeout=2m"},
	} {
		if output, err := exec.Command(line.Kubectl, arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
}

func TestARestartReadsTheSchedulersConfigurationAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scheduler.yaml")
	configure := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const valid = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
	configure(valid)
	line := started(t, "--nodes=0", "--scheduler-config", path)
	control := api{base: line.Control, client: &http.Client{Timeout: patience}}

	refused := func(content, expected string) {
		configure(content)
		err := control.request(t.Context(), "POST", "/kube-scheduler/start", nil, nil)
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: got %v", content, err)
		}
	}
	if err := control.request(t.Context(), "POST", "/kube-scheduler/stop", nil, nil); err != nil {
		t.Fatal(err)
	}
	refused("a: [", "is not YAML")
	refused(valid+"percentageOfNodesToScore: 101\n", "kube-scheduler ended while it started")
	configure(valid + "percentageOfNodesToScore: 100\n")
	if err := control.request(t.Context(), "POST", "/kube-scheduler/start", nil, nil); err != nil {
		t.Error(err)
	}
	content, err := os.ReadFile(filepath.Join(line.Folder, "scheduler.yaml"))
	if err != nil || !slices.Contains(strings.Split(string(content), "\n"), "percentageOfNodesToScore: 100") {
		t.Errorf("%v: %s", err, content)
	}
}
