package main

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
	"time"
)

func TestTheDefaultsAreASmallCluster(t *testing.T) {
	parsed, err := parseOptions(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.nodes != 3 || parsed.gpusPerNode != 0 || parsed.hpaSyncPeriod != 5*time.Second || parsed.keep {
		t.Errorf("got %+v", parsed)
	}
}

func TestReadsEveryOption(t *testing.T) {
	parsed, err := parseOptions([]string{
		"--binaries", "/bin", "--nodes=1000", "--gpus-per-node", "8", "--hpa-sync-period", "15s", "--image-pull-delay=40s",
		"--pod-start-delay=20s±5s", "--scheduler-config", "options_test.go", "--prometheus-config", "options.go",
		"--feature-gates=HPAScaleToZero=true", "--runtime-config=scheduling.k8s.io/v1alpha2=true",
		"--admission-plugins=OwnerReferencesPermissionEnforcement", "--start-timeout=1m", "--keep", "--outlive-parent",
	}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.binaries != "/bin" || parsed.nodes != 1000 || parsed.gpusPerNode != 8 ||
		parsed.hpaSyncPeriod != 15*time.Second || parsed.imagePullDelay != 40*time.Second ||
		parsed.podStartDelay[0].least != 15*time.Second || parsed.startTimeout != time.Minute ||
		parsed.featureGates != "HPAScaleToZero=true" ||
		parsed.runtimeConfig != "scheduling.k8s.io/v1alpha2=true" ||
		parsed.admissionPlugins != "OwnerReferencesPermissionEnforcement" || !parsed.keep || !parsed.outliveParent {
		t.Errorf("got %+v", parsed)
	}
	if !strings.HasPrefix(parsed.schedulerConfig, "/") || !strings.HasSuffix(parsed.prometheusConfig, "/options.go") {
		t.Errorf("the files are not absolute: %s, %s", parsed.schedulerConfig, parsed.prometheusConfig)
	}
}

func TestRefusesAWrongOptionWithItsNameValueAndRemedy(t *testing.T) {
	for arguments, expected := range map[string]string{
		"--nodes=many":                 `"many" for flag -nodes: give a whole number from 0 to 5000`,
		"--nodes=":                     `"" for flag -nodes: give a whole number from 0 to 5000`,
		"--nodes=-1":                   `"-1" for flag -nodes: give a whole number from 0 to 5000`,
		"--nodes=5001":                 `"5001" for flag -nodes: give a whole number from 0 to 5000`,
		"--nodes=99999999999999999999": "for flag -nodes: give a whole number from 0 to 5000",
		"--gpus-per-node=1.5":          `"1.5" for flag -gpus-per-node: give a whole number from 0 to 64`,
		"--hpa-sync-period=0s":         `"0s" for flag -hpa-sync-period: give a duration from 1ms to 24h, such as 5s`,
		"--hpa-sync-period=5":          `"5" for flag -hpa-sync-period: give a duration from 1ms to 24h, such as 5s`,
		"--hpa-sync-period=1us":        `"1us" for flag -hpa-sync-period: give a duration from 1ms to 24h, such as 5s`,
		"--image-pull-delay=-1s":       `"-1s" for flag -image-pull-delay: give a duration from 0s to 24h, such as 20s`,
		"--pod-start-delay=soon":       `"soon" for flag -pod-start-delay: give a constant such as 20s`,
		"--scheduler-config=nowhere":   `"nowhere" for flag -scheduler-config: there is no such file`,
		"--prometheus-config=.":        `"." for flag -prometheus-config: there is no such file`,
		"--start-timeout=25h":          `"25h" for flag -start-timeout: give a duration from 1ms to 24h`,
		"--colour=red":                 "flag provided but not defined: -colour; lab -h lists the options",
		"start":                        `"start" is not an option; lab -h lists them`,
		"--nodes":                      "flag needs an argument: -nodes; lab -h lists the options",
	} {
		_, err := parseOptions([]string{arguments}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%s: got %q, expected %q in it", arguments, err, expected)
		}
	}
}

func TestHelpListsEveryOption(t *testing.T) {
	var help strings.Builder
	_, err := parseOptions([]string{"-h"}, &help)
	if !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v", err)
	}
	for _, option := range []string{"-nodes NUMBER", "-pod-start-delay DELAY", "-scheduler-config FILE", "-outlive-parent"} {
		if !strings.Contains(help.String(), option) {
			t.Errorf("%q is not in\n%s", option, help.String())
		}
	}
}

func TestAWrongOptionIsUsage(t *testing.T) {
	var complaints strings.Builder
	if code := run([]string{"--nodes=x"}, io.Discard, &complaints); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
	if !strings.HasPrefix(complaints.String(), "lab: invalid value") {
		t.Errorf("got %q", complaints.String())
	}
}

func TestSaysHowToGetThePrograms(t *testing.T) {
	var complaints strings.Builder
	if code := run([]string{"--binaries", t.TempDir()}, io.Discard, &complaints); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(complaints.String(), "etcd is not in the folder") ||
		!strings.Contains(complaints.String(), "run e2e/lab/build") {
		t.Errorf("got %q", complaints.String())
	}
}
