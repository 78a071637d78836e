package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const second = time.Second

func TestReadsDelays(t *testing.T) {
	for text, expected := range map[string]delay{
		"0s":                            {{1000, 0, 0}},
		"20s":                           {{1000, 20 * second, 20 * second}},
		"20s±5s":                        {{1000, 15 * second, 25 * second}},
		"20s+-20s":                      {{1000, 0, 40 * second}},
		"p50=20s":                       {{500, 20 * second, 20 * second}, {500, 20 * second, 20 * second}},
		"p50=20s,p90=1m":                {{500, 20 * second, 20 * second}, {400, 20 * second, 60 * second}, {100, 60 * second, 60 * second}},
		"p90=60s,p0=5s,p50=20s,p100=5m": {{500, 5 * second, 20 * second}, {400, 20 * second, 60 * second}, {100, 60 * second, 300 * second}},
		"p99.9=1s":                      {{999, second, second}, {1, second, second}},
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
