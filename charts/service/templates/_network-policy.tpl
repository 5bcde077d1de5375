{{/* Where a dependency lives, unless values say otherwise: in the namespace that k8s/ puts it into. */}}
{{- define "service.backendPeers" -}}
{{- if .to -}}
{{- toYaml .to -}}
{{- else -}}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace }}
{{- end -}}
{{- end -}}

{{- define "service.egressTo" -}}
- to:
    {{- include "service.backendPeers" . | nindent 4 }}
  ports:
    - protocol: TCP
      port: {{ .port }}
{{- end -}}

{{/* The cluster's DNS, unless values say otherwise: a node's cache or a cloud's resolver is an address, which no selector of pods matches. */}}
{{- define "service.egressToDns" -}}
{{- $dns := .Values.networkPolicy.dns | default dict -}}
- to:
    {{- with $dns.to }}
    {{- toYaml . | nindent 4 }}
    {{- else }}
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: kube-system
      podSelector:
        matchLabels:
          k8s-app: kube-dns
    {{- end }}
  ports:
    {{- range list "UDP" "TCP" }}
    - protocol: {{ . }}
      port: {{ int ($dns.port | default 53) }}
    {{- end }}
{{- end -}}

{{/* The public internet and nothing that only looks like it: no private, link-local, metadata, carrier or multicast range. */}}
{{- define "service.egressToWorld" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          - 0.0.0.0/8
          - 10.0.0.0/8
          - 100.64.0.0/10
          - 127.0.0.0/8
          - 168.63.129.16/32
          - 169.254.0.0/16
          - 172.16.0.0/12
          - 192.0.0.0/24
          - 192.168.0.0/16
          - 198.18.0.0/15
          - 224.0.0.0/4
          - 240.0.0.0/4
          {{- range .except }}
          - {{ . }}
          {{- end }}
    - ipBlock:
        cidr: 2000::/3
        except:
          - 2001::/32
          - 2002::/16
  ports:
    {{- range .ports }}
    - protocol: TCP
      port: {{ . }}
    {{- end }}
{{- end -}}

{{- define "service.egressRules" -}}
{{- $p := .Values.networkPolicy -}}
{{- $uses := .traits.uses -}}
{{- $reaches := .traits.reaches | default list -}}
{{- if and .Values.database .Values.database.directKey -}}{{- $reaches = append $reaches "pooler" -}}{{- end -}}
{{ include "service.egressToDns" . }}
{{- $backends := dict "database" (list 5432 "filmgate-backends") "pooler" (list 6432 "filmgate-backends") "kafka" (list 9092 "filmgate-backends") "redis" (list 6379 "filmgate-backends") "objectStore" (list 9000 "filmgate-backends") }}
{{- range $name := list "database" "pooler" "kafka" "redis" "objectStore" }}
{{- if or (has $name $uses) (has $name $reaches) }}
{{- $given := get $p $name | default dict }}
{{- $known := get $backends $name }}
{{ include "service.egressTo" (dict "to" $given.to "port" (int ($given.port | default (index $known 0))) "namespace" (index $known 1)) }}
{{- end }}
{{- end }}
{{- if and .Values.telemetry .Values.telemetry.otlpEndpoint }}
{{- $given := $p.telemetry | default dict }}
{{ include "service.egressTo" (dict "to" $given.to "port" (int ($given.port | default 4318)) "namespace" "observability") }}
{{- end }}
{{- if .traits.reachesWorld }}
{{ include "service.egressToWorld" (dict "except" $p.worldExcept "ports" ($p.worldPorts | default (list 443))) }}
{{- end }}
{{- range .traits.calls }}
- to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: {{ .name }}
          app.kubernetes.io/instance: {{ $.Release.Name }}
  ports:
    - protocol: TCP
      port: {{ .port }}
{{- end }}
{{- with $p.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Where the proxies of an Ingress or a route run; empty where nothing is published. The pods of a Gateway and the nodes of a cloud's balancer may be anywhere. */}}
{{- define "service.proxyPeers" -}}
{{- $namespaces := dict "nginx" "ingress-nginx" "contour" "projectcontour" "traefik" "traefik" "haproxy" "haproxy-controller" -}}
{{- $namespace := get $namespaces .Values.ingress.controller -}}
{{- if .Values.networkPolicy.ingressFrom -}}
{{- toYaml .Values.networkPolicy.ingressFrom -}}
{{- else if or .Values.httpRoute.enabled (and .Values.ingress.enabled (not $namespace)) -}}
{{- fail (printf "%s: set networkPolicy.ingressFrom (or global.networkPolicy.ingressFrom) to where the proxies of the ingress or the route run" .Chart.Name) -}}
{{- else if .Values.ingress.enabled -}}
{{- include "service.backendPeers" (dict "namespace" $namespace) -}}
{{- end -}}
{{- end -}}

{{- define "service.ingressRules" -}}
{{- $p := .Values.networkPolicy -}}
{{- if .traits.takesIngress }}
{{- with include "service.proxyPeers" . }}
- from:
    {{- . | nindent 4 }}
  ports:
    - protocol: TCP
      port: {{ $.traits.port }}
{{- end }}
{{- end }}
{{- range .traits.calledBy }}
- from:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: {{ . }}
          app.kubernetes.io/instance: {{ $.Release.Name }}
  ports:
    - protocol: TCP
      port: {{ $.traits.port }}
{{- end }}
{{- if .Values.serviceMonitor.enabled }}
- from:
    {{- include "service.backendPeers" (dict "to" $p.metricsFrom "namespace" "monitoring") | nindent 4 }}
  ports:
    - protocol: TCP
      port: {{ .traits.metricsPort | default .traits.port }}
{{- end }}
{{- with $p.extraIngress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Deny by default in both directions, then what the traits need. Jobs of the service get its egress and no ingress at all. */}}
{{- define "service.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: server
  policyTypes: [Ingress, Egress]
  {{- with include "service.ingressRules" . | trim }}
  ingress:
    {{- . | nindent 4 }}
  {{- else }}
  ingress: []
  {{- end }}
  egress:
    {{- include "service.egressRules" . | trim | nindent 4 }}
{{- end -}}

{{- define "service.jobNetworkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "service.metadata" (dict "context" . "suffix" "-jobs") | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: job
  policyTypes: [Ingress, Egress]
  ingress: []
  egress:
    {{- include "service.egressRules" . | trim | nindent 4 }}
{{- end -}}
