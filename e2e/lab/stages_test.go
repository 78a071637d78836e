package main

import (
	"bytes"
	"errors"
	"io"
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
