package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

type stage struct {
	Metadata struct{ Name string }
	Spec     struct {
		Weight int
		Delay  struct {
			Least int `yaml:"durationMilliseconds"`
			Most  int `yaml:"jitterDurationMilliseconds"`
		}
	}
}

func stagesFor(t *testing.T, imagePull time.Duration, podStart delay) []stage {
	t.Helper()
	rendered, err := kwokStages(imagePull, podStart)
	if err != nil {
		t.Fatal(err)
	}
	var stages []stage
	documents := yaml.NewDecoder(bytes.NewReader(rendered))
	for {
		var next stage
		if err := documents.Decode(&next); errors.Is(err, io.EOF) {
			return stages
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, rendered)
		}
		stages = append(stages, next)
	}
}

func TestStagesHoldTheDelays(t *testing.T) {
	parsed, err := parseDelay("p50=20s,p90=60s")
	if err != nil {
		t.Fatal(err)
	}
	type weighted struct {
		weight, least, most int
	}
	var found []weighted
	for _, stage := range stagesFor(t, 0, parsed) {
		if strings.HasPrefix(stage.Metadata.Name, "pod-ready-") {
			found = append(found, weighted{stage.Spec.Weight, stage.Spec.Delay.Least, stage.Spec.Delay.Most})
		}
	}
	expected := []weighted{{500, 20_000, 20_000}, {400, 20_000, 60_000}, {100, 60_000, 60_000}}
	if !slices.Equal(found, expected) {
		t.Errorf("got %v, expected %v", found, expected)
	}
}

func TestOnlyAnImagePullMakesAStageOfItsOwn(t *testing.T) {
	names := func(imagePull time.Duration) []string {
		var names []string
		for _, stage := range stagesFor(t, imagePull, constantDelay(second)) {
			names = append(names, stage.Metadata.Name)
		}
		return names
	}
	if found := names(0); !slices.Equal(found, []string{"node-ready", "pod-ready-0", "pod-complete", "pod-deleted"}) {
		t.Errorf("without: %v", found)
	}
	if found := names(second); !slices.Equal(found, []string{"node-ready", "pod-pulled", "pod-ready-0", "pod-complete", "pod-deleted"}) {
		t.Errorf("with: %v", found)
	}
}
