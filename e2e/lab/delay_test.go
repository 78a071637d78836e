package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const s = time.Second

func TestReadsDelays(t *testing.T) {
	for text, expected := range map[string]delay{
		"0s":                            {{1000, 0, 0}},
		"20s":                           {{1000, 20 * s, 20 * s}},
		"20s±5s":                        {{1000, 15 * s, 25 * s}},
		"20s+-20s":                      {{1000, 0, 40 * s}},
		"p50=20s":                       {{500, 20 * s, 20 * s}, {500, 20 * s, 20 * s}},
		"p50=20s,p90=1m":                {{500, 20 * s, 20 * s}, {400, 20 * s, 60 * s}, {100, 60 * s, 60 * s}},
		"p90=60s,p0=5s,p50=20s,p100=5m": {{500, 5 * s, 20 * s}, {400, 20 * s, 60 * s}, {100, 60 * s, 300 * s}},
		"p99.9=1s":                      {{999, s, s}, {1, s, s}},
	} {
		parsed, err := parseDelay(text)
		if err != nil || !slices.Equal(parsed, expected) {
			t.Errorf("%s: got %v, %v; expected %v", text, parsed, err, expected)
		}
	}
}

func TestRefusesDelaysThatMeanNothing(t *testing.T) {
	for text, expected := range map[string]string{
		"":                    "give a constant such as 20s",
		"20":                  "give a constant such as 20s",
		"-20s":                "give a constant such as 20s",
		"NaN":                 "give a constant such as 20s",
		"20s±":                "give a constant such as 20s",
		"20s±5s±5s":           "give a constant such as 20s",
		"5s±20s":              "the spread 20s must not be more than the delay 5s",
		"p":                   "give a constant such as 20s",
		"p50":                 "give a constant such as 20s",
		"p50=":                "give a constant such as 20s",
		"p101=20s":            "give a constant such as 20s",
		"p-1=20s":             "give a constant such as 20s",
		"pNaN=20s":            "give a constant such as 20s",
		"p50=20s,":            "give a constant such as 20s",
		"p50=20s,90=60s":      "give a constant such as 20s",
		"p50=20s,p90=10s":     "a higher quantile has a shorter delay, 10s after 20s",
		"p50=20s,p50=20s":     "a quantile is given twice",
		"999999999999999999h": "give a constant such as 20s",
	} {
		_, err := parseDelay(text)
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%q: got %v, expected %q in it", text, err, expected)
		}
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
		for _, stage := range stagesFor(t, imagePull, constantDelay(s)) {
			names = append(names, stage.Metadata.Name)
		}
		return names
	}
	if found := names(0); !slices.Equal(found, []string{"node-ready", "pod-ready-0", "pod-complete", "pod-deleted"}) {
		t.Errorf("without: %v", found)
	}
	if found := names(s); !slices.Equal(found, []string{"node-ready", "pod-pulled", "pod-ready-0", "pod-complete", "pod-deleted"}) {
		t.Errorf("with: %v", found)
	}
}
