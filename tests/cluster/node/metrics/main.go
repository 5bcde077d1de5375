// Serves the resource-metrics API (metrics.k8s.io/v1beta1) from what every kubelet tells of its pods, as far as the autoscaler and
// `kubectl top` read it. Go's own library is all it needs, so no module version can keep it from being built.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"log"
	"math/big"
	"net/http"
	"strings"
	"time"
)

const scrapeEvery = 10 * time.Second

func main() {
	cluster, err := openCluster()
	if err != nil {
		log.Fatal(err)
	}
	callers, err := cluster.callers()
	if err != nil {
		log.Fatal(err)
	}
	store := &store{}
	go func() {
		for {
			if err := store.scrape(cluster); err != nil {
				log.Print(err)
			}
			time.Sleep(scrapeEvery)
		}
	}()
	certificate, err := selfSigned()
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{
		Addr:              ":10250",
		Handler:           routes(store),
		ReadHeaderTimeout: 5 * time.Second,
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate},
			ClientCAs:    callers,
			ClientAuth:   tls.VerifyClientCertIfGiven,
		},
	}
	log.Fatal(server.ListenAndServeTLS("", ""))
}

// Only the API server's aggregator, which has judged the caller before, may ask for more than readiness.
func routes(store *store) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			if !store.ready() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return
		}
		if len(r.TLS.PeerCertificates) == 0 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		answer, err := store.answer(strings.Trim(r.URL.Path, "/"), r.URL.Query().Get("labelSelector"))
		if err != nil {
			status := http.StatusBadRequest
			if errors.Is(err, errUnknown) {
				status = http.StatusNotFound
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": err.Error(), "code": status})
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	})
}

// The APIService names no authority for this server, so any certificate will do.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		DNSNames:     []string{"metrics"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
