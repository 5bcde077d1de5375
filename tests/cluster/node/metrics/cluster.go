package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	account     = "/var/run/secrets/kubernetes.io/serviceaccount/"
	kubeletPort = 10250
	answerBytes = 32 << 20
)

// cluster asks the API server and the kubelets, as the service account of this pod.
type cluster struct{ client *http.Client }

func openCluster() (*cluster, error) {
	authority, err := os.ReadFile(account + "ca.crt")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	return &cluster{&http.Client{Transport: transport, Timeout: 5 * time.Second}}, nil
}

func (c *cluster) read(url string, into any) error {
	token, err := os.ReadFile(account + "token")
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return json.NewDecoder(io.LimitReader(response.Body, answerBytes)).Decode(into)
}

func (c *cluster) ask(path string, into any) error {
	return c.read("https://"+os.Getenv("KUBERNETES_SERVICE_HOST")+":"+os.Getenv("KUBERNETES_SERVICE_PORT")+path, into)
}

// The authority that signs what the API server's aggregator shows.
func (c *cluster) callers() (*x509.CertPool, error) {
	var config struct {
		Data map[string]string `json:"data"`
	}
	if err := c.ask("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication", &config); err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(config.Data["requestheader-client-ca-file"])) {
		return nil, fmt.Errorf("the API server names no authority of its aggregator")
	}
	return pool, nil
}

type list struct {
	Items []struct {
		Metadata struct {
			Name      string            `json:"name"`
			Namespace string            `json:"namespace"`
			Labels    map[string]string `json:"labels"`
		} `json:"metadata"`
		Status struct {
			Addresses []struct{ Type, Address string } `json:"addresses"`
		} `json:"status"`
	} `json:"items"`
}

type usage struct {
	Time            time.Time `json:"time"`
	UsageNanoCores  *uint64   `json:"usageNanoCores"`
	WorkingSetBytes *uint64   `json:"workingSetBytes"`
}

type summary struct {
	Node struct{ CPU, Memory *usage } `json:"node"`
	Pods []struct {
		PodRef     struct{ Name, Namespace string } `json:"podRef"`
		Containers []struct {
			Name        string
			CPU, Memory *usage
		} `json:"containers"`
	} `json:"pods"`
}

func (c *cluster) summary(address string) (summary, error) {
	var told summary
	err := c.read(fmt.Sprintf("https://%s:%d/stats/summary", address, kubeletPort), &told)
	return told, err
}
