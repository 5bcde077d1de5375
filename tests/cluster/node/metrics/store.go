package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

var errUnknown = errors.New("the server could not find the requested resource")

const groupVersion = "metrics.k8s.io/v1beta1"

type entry struct {
	name, namespace string
	labels          map[string]string
	at              time.Time
	// What a node uses, or the containers of a pod.
	usage      object
	containers []object
}

// store holds what the last round of questions brought; a kubelet that did not answer is not in it.
type store struct {
	mutex       sync.Mutex
	nodes, pods []entry
	scrapedAt   time.Time
}

func (s *store) ready() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return !s.scrapedAt.IsZero()
}

func (s *store) scrape(c *cluster) error {
	var nodeList, podList list
	if err := errors.Join(c.ask("/api/v1/nodes", &nodeList), c.ask("/api/v1/pods", &podList)); err != nil {
		return err
	}
	labels := map[string]map[string]string{}
	for _, pod := range podList.Items {
		labels[pod.Metadata.Namespace+"/"+pod.Metadata.Name] = pod.Metadata.Labels
	}
	var nodes, pods []entry
	var faults []error
	for _, node := range nodeList.Items {
		for _, address := range node.Status.Addresses {
			if address.Type != "InternalIP" {
				continue
			}
			told, err := c.summary(address.Address)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			if used, at := amounts(told.Node.CPU, told.Node.Memory); used != nil {
				nodes = append(nodes, entry{name: node.Metadata.Name, labels: node.Metadata.Labels, at: at, usage: used})
			}
			pods = append(pods, podsOf(told, labels)...)
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.nodes, s.pods, s.scrapedAt = nodes, pods, time.Now()
	return errors.Join(faults...)
}

// A pod of which one container has no figure yet has none: half of it would look like an idle one.
func podsOf(told summary, labels map[string]map[string]string) []entry {
	var pods []entry
	for _, pod := range told.Pods {
		found := entry{name: pod.PodRef.Name, namespace: pod.PodRef.Namespace, labels: labels[pod.PodRef.Namespace+"/"+pod.PodRef.Name]}
		for _, container := range pod.Containers {
			used, at := amounts(container.CPU, container.Memory)
			if used == nil {
				found.containers = nil
				break
			}
			found.at = at
			found.containers = append(found.containers, object{"name": container.Name, "usage": used})
		}
		if len(found.containers) > 0 {
			pods = append(pods, found)
		}
	}
	return pods
}

func amounts(cpu, memory *usage) (object, time.Time) {
	if cpu == nil || memory == nil || cpu.UsageNanoCores == nil || memory.WorkingSetBytes == nil {
		return nil, time.Time{}
	}
	return object{"cpu": fmt.Sprintf("%dn", *cpu.UsageNanoCores), "memory": fmt.Sprintf("%dKi", *memory.WorkingSetBytes>>10)}, cpu.Time
}

// answer is what one path of the API gives.
func (s *store) answer(path, selector string) (object, error) {
	if !strings.HasPrefix(path, "apis/") {
		return nil, errUnknown
	}
	part := strings.Split(strings.TrimPrefix(path, "apis/"), "/")
	if len(part) == 1 && part[0] == "metrics.k8s.io" {
		version := object{"groupVersion": groupVersion, "version": "v1beta1"}
		return object{"kind": "APIGroup", "apiVersion": "v1", "name": part[0], "versions": []object{version}, "preferredVersion": version}, nil
	}
	if len(part) < 2 || part[0]+"/"+part[1] != groupVersion {
		return nil, errUnknown
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch part = part[2:]; {
	case len(part) == 0:
		return object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": groupVersion, "resources": []object{
			{"name": "nodes", "singularName": "", "namespaced": false, "kind": "NodeMetrics", "verbs": []string{"get", "list"}},
			{"name": "pods", "singularName": "", "namespaced": true, "kind": "PodMetrics", "verbs": []string{"get", "list"}},
		}}, nil
	case len(part) <= 2 && part[0] == "nodes":
		return shown("NodeMetrics", s.nodes, "", part[1:], selector)
	case len(part) == 1 && part[0] == "pods":
		return shown("PodMetrics", s.pods, "", nil, selector)
	case len(part) >= 3 && len(part) <= 4 && part[0] == "namespaces" && part[2] == "pods":
		return shown("PodMetrics", s.pods, part[1], part[3:], selector)
	}
	return nil, errUnknown
}

// A list of what the selector takes, or the one that is named.
func shown(kind string, entries []entry, namespace string, name []string, selector string) (object, error) {
	takes, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	items := []object{}
	for _, e := range entries {
		if (namespace != "" && e.namespace != namespace) || (len(name) == 1 && e.name != name[0]) || !takes(e.labels) {
			continue
		}
		metadata := object{"name": e.name, "creationTimestamp": e.at.UTC().Format(time.RFC3339), "labels": e.labels}
		item := object{"kind": kind, "apiVersion": groupVersion, "metadata": metadata, "timestamp": e.at.UTC().Format(time.RFC3339), "window": scrapeEvery.String()}
		if kind == "NodeMetrics" {
			item["usage"] = e.usage
		} else {
			metadata["namespace"], item["containers"] = e.namespace, e.containers
		}
		items = append(items, item)
	}
	if len(name) == 0 {
		return object{"kind": kind + "List", "apiVersion": groupVersion, "metadata": object{}, "items": items}, nil
	}
	if len(items) == 0 {
		return nil, errUnknown
	}
	return items[0], nil
}
