// Command argo-cd runs Argo CD's application controller, its repository server, or the Redis that Argo CD's command line
// brings with it, as its first argument says: only what compares a cluster with Git and applies the difference.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alicebob/miniredis/v2"
	controller "github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
	repositories "github.com/argoproj/argo-cd/v3/cmd/argocd-repo-server/commands"
	"github.com/spf13/cobra"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("give redis, application-controller or repo-server, and its options"))
	}
	commands := map[string]func() *cobra.Command{
		"application-controller": controller.NewCommand,
		"repo-server":            repositories.NewCommand,
		"redis":                  redis,
	}
	command, known := commands[os.Args[1]]
	if !known {
		fail(fmt.Errorf("there is no %q", os.Args[1]))
	}
	run := command()
	run.SetArgs(os.Args[2:])
	if err := run.Execute(); err != nil {
		fail(err)
	}
}

// redis listens on an address until it is asked to end.
func redis() *cobra.Command {
	return &cobra.Command{
		Use:  "redis ADDRESS",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, arguments []string) error {
			if err := miniredis.NewMiniRedis().StartAddr(arguments[0]); err != nil {
				return err
			}
			ended := make(chan os.Signal, 1)
			signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
			<-ended
			return nil
		},
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "argo-cd:", err)
	os.Exit(1)
}
