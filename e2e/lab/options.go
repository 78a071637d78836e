package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// options are the options of one run of the laboratory.
type options struct {
	binaries         string
	nodes            int
	gpusPerNode      int
	hpaSyncPeriod    time.Duration
	imagePullDelay   time.Duration
	podStartDelay    delay
	schedulerConfig  string
	prometheusConfig string
	featureGates     string
	runtimeConfig    string
	admissionPlugins string
	startTimeout     time.Duration
	keep             bool
	outliveParent    bool
}

const usage = `Usage: lab [options]

Starts a Kubernetes control plane with fake nodes on loopback and prints one line of JSON when it is ready.
It stops on SIGTERM or SIGINT, and when its parent ends; then nothing is left of it.

`

// parseOptions reads the command line. Its errors name the flag, the value and what is accepted; -h gives
// flag.ErrHelp after the usage was written to help.
func parseOptions(arguments []string, help io.Writer) (options, error) {
	parsed := options{
		nodes:         3,
		hpaSyncPeriod: 5 * time.Second,
		podStartDelay: constantDelay(2 * time.Second),
		startTimeout:  3 * time.Minute,
	}
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&parsed.binaries, "binaries", "",
		"the `FOLDER` of etcd, kube-apiserver and the others (default: that of this program)")
	flags.Func("nodes", "the `NUMBER` of fake nodes (default 3)", wholeNumber(&parsed.nodes, 5000))
	flags.Func("gpus-per-node", "the `NUMBER` of nvidia.com/gpu that each fake node has (default 0)",
		wholeNumber(&parsed.gpusPerNode, 64))
	flags.Func("hpa-sync-period", "how often the HPA controller decides, a `DURATION` (default 5s)",
		positiveDuration(&parsed.hpaSyncPeriod))
	flags.Func("image-pull-delay",
		"how long a scheduled pod pulls its image before its containers start, a `DURATION` (default 0s)",
		anyDuration(&parsed.imagePullDelay))
	flags.Func("pod-start-delay",
		"how long its containers take to get ready: a `DELAY` such as 20s, 20s±5s or p50=20s,p90=60s (default 2s)",
		func(text string) (err error) {
			parsed.podStartDelay, err = parseDelay(text)
			return err
		})
	flags.Func("scheduler-config", "a KubeSchedulerConfiguration `FILE`; read at every start of the scheduler",
		existingFile(&parsed.schedulerConfig))
	flags.Func("prometheus-config", "also starts Prometheus with this configuration `FILE`",
		existingFile(&parsed.prometheusConfig))
	flags.StringVar(&parsed.featureGates, "feature-gates", "",
		"feature `GATES` of the control plane, such as HPAScaleToZero=true")
	flags.StringVar(&parsed.runtimeConfig, "runtime-config", "",
		"`APIS` that the API server serves besides, such as scheduling.k8s.io/v1alpha2=true")
	flags.StringVar(&parsed.admissionPlugins, "admission-plugins", "",
		"`PLUGINS` of admission that the API server runs besides, such as OwnerReferencesPermissionEnforcement")
	flags.Func("start-timeout", "how long one program may take until it is ready, a `DURATION` (default 3m)",
		positiveDuration(&parsed.startTimeout))
	flags.BoolVar(&parsed.keep, "keep", false, "keep the folder with logs, certificates and data at the end")
	flags.BoolVar(&parsed.outliveParent, "outlive-parent", false, "do not stop when the parent process ends")

	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(help, usage)
			flags.SetOutput(help)
			flags.PrintDefaults()
			return options{}, err
		}
		return options{}, fmt.Errorf("%w; lab -h lists the options", err)
	}
	if flags.NArg() > 0 {
		return options{}, fmt.Errorf("%q is not an option; lab -h lists them", flags.Arg(0))
	}
	return parsed, nil
}

func wholeNumber(target *int, most int) func(string) error {
	return func(text string) error {
		number, err := strconv.Atoi(text)
		if err != nil || number < 0 || number > most {
			return fmt.Errorf("give a whole number from 0 to %d", most)
		}
		*target = number
		return nil
	}
}

func positiveDuration(target *time.Duration) func(string) error {
	return func(text string) error {
		duration, err := parseDuration(text)
		if err != nil || duration == 0 {
			return errors.New("give a duration from 1ms to 24h, such as 5s")
		}
		*target = duration
		return nil
	}
}

func anyDuration(target *time.Duration) func(string) error {
	return func(text string) error {
		duration, err := parseDuration(text)
		if err != nil {
			return errors.New("give a duration from 0s to 24h, such as 20s")
		}
		*target = duration
		return nil
	}
}

// parseDuration reads a duration of whole milliseconds, the unit of KWOK's delays, of a day at most.
func parseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration < 0 || duration > 24*time.Hour || duration%time.Millisecond != 0 {
		return 0, fmt.Errorf("%q is not a duration from 0s to 24h in whole milliseconds, such as 20s", text)
	}
	return duration, nil
}

func existingFile(target *string) func(string) error {
	return func(text string) error {
		info, err := os.Stat(text)
		if err != nil || !info.Mode().IsRegular() {
			return errors.New("there is no such file; give the path of one that exists")
		}
		*target, err = filepath.Abs(text)
		return err
	}
}
