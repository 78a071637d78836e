package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

type object = map[string]any

// fakeNode is a node as a kubelet would register it, except for the conditions, which KWOK adds.
func fakeNode(index, gpus int) object {
	name := fmt.Sprintf("node-%04d", index)
	resources := object{"cpu": "64", "memory": "512Gi", "pods": "250"}
	if gpus > 0 {
		resources["nvidia.com/gpu"] = strconv.Itoa(gpus)
	}
	return object{
		"apiVersion": "v1",
		"kind":       "Node",
		"metadata": object{
			"name":   name,
			"labels": object{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"},
		},
		"status": object{"capacity": resources, "allocatable": resources},
	}
}

// createNodes makes the fake nodes, some at a time.
func createNodes(ctx context.Context, server api, count, gpus int) error {
	var group sync.WaitGroup
	failures := make(chan error, count)
	slots := make(chan struct{}, 16)
	for index := range count {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if err := server.request(ctx, http.MethodPost, "/api/v1/nodes", fakeNode(index, gpus), nil); err != nil {
				failures <- err
			}
		})
	}
	group.Wait()
	select {
	case err := <-failures:
		return fmt.Errorf("a fake node was refused: %w", err)
	default:
		return nil
	}
}

type nodeList struct {
	Items []struct {
		Spec struct {
			Taints []struct{ Key string }
		}
		Status struct {
			Conditions []struct{ Type, Status string }
		}
	}
}

// schedulable counts the nodes that are ready and have no taint.
func (l nodeList) schedulable() int {
	count := 0
	for _, node := range l.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == "Ready" && condition.Status == "True" && len(node.Spec.Taints) == 0 {
				count++
			}
		}
	}
	return count
}

// awaitPods waits until pods can be created and scheduled: the nodes are ready, and the default service
// account, which every pod without another gets, exists.
func awaitPods(ctx context.Context, server api, nodes int) error {
	for {
		var list nodeList
		err := server.request(ctx, http.MethodGet, "/api/v1/namespaces/default/serviceaccounts/default", nil, nil)
		if err == nil {
			err = server.request(ctx, http.MethodGet, "/api/v1/nodes?resourceVersion=0", nil, &list)
		}
		if err == nil && list.schedulable() >= nodes {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("%d of %d nodes are ready", list.schedulable(), nodes)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the control plane runs, but no pod could be scheduled in time: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
