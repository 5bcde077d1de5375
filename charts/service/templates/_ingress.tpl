{{- define "service.ingressAnnotations" -}}
{{- $i := .Values.ingress -}}
{{- $seconds := int $i.readTimeoutSeconds -}}
{{- if lt $seconds 300 -}}{{- fail (printf "%s: ingress.readTimeoutSeconds is below 300: a first POST may take 250 s and its client waits 260 s" .Chart.Name) -}}{{- end -}}
{{- if eq $i.controller "nginx" }}
nginx.ingress.kubernetes.io/proxy-read-timeout: {{ $seconds | quote }}
nginx.ingress.kubernetes.io/proxy-send-timeout: {{ $seconds | quote }}
nginx.ingress.kubernetes.io/proxy-body-size: 1m
nginx.ingress.kubernetes.io/proxy-next-upstream: error{{ if .traits.repeats }} non_idempotent{{ end }}
nginx.ingress.kubernetes.io/proxy-next-upstream-tries: "2"
{{- else if eq $i.controller "contour" }}
projectcontour.io/response-timeout: {{ printf "%ds" $seconds }}
# Only where nothing of the request has left the proxy: the request is then simply sent to a replica that lives.
projectcontour.io/retry-on: connect-failure,reset-before-request
projectcontour.io/num-retries: "2"
{{- else if eq $i.controller "haproxy" }}
haproxy.org/timeout-server: {{ printf "%ds" $seconds }}
{{- else if eq $i.controller "alb" }}
alb.ingress.kubernetes.io/target-type: ip
alb.ingress.kubernetes.io/load-balancer-attributes: idle_timeout.timeout_seconds={{ $seconds }}
alb.ingress.kubernetes.io/healthcheck-path: /readyz
alb.ingress.kubernetes.io/healthcheck-interval-seconds: "5"
alb.ingress.kubernetes.io/healthcheck-timeout-seconds: "2"
{{- end }}
{{- end -}}

{{/* Both take (dict "root" $ "traits" {…}), where `host` is the host unless values name some. Of `/` the path alone is published, because as a prefix it would let in health and metrics too. */}}
{{- define "service.ingress" -}}
{{- if .root.Values.ingress.enabled }}
{{- $ctx := fromYaml (include "service.context" .) }}
{{- $i := $ctx.Values.ingress }}
{{- $annotations := merge (deepCopy $i.annotations) (fromYaml (include "service.ingressAnnotations" $ctx)) }}
{{- $hosts := $i.hosts | default (list (.traits.host | default "")) }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "service.metadata" (dict "context" $ctx "labels" $i.labels "annotations" $annotations) | nindent 2 }}
spec:
  {{- with $i.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if or $i.tlsSecret $i.extraTls }}
  tls:
    {{- with $i.tlsSecret }}
    - secretName: {{ . }}
      {{- with compact $hosts }}
      hosts:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    {{- end }}
    {{- with $i.extraTls }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
  rules:
    {{- range $host := $hosts }}
    - http:
        paths:
          {{- range $i.paths }}
          - path: {{ . }}
            {{- if eq . "/" }}
            pathType: Exact
            {{- else }}
            {{- /* ingress-nginx 1.12.0 to 1.13.1 refuses a dot in a path of type Prefix. */}}
            pathType: {{ ternary "ImplementationSpecific" "Prefix" (and (eq $i.controller "nginx") (contains "." .)) }}
            {{- end }}
            backend:
              service:
                name: {{ include "service.fullname" $ctx }}
                port:
                  name: http
          {{- end }}
      {{- with $host }}
      host: {{ . }}
      {{- end }}
    {{- end }}
    {{- with $i.extraRules }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "service.httpRoute" -}}
{{- if .root.Values.httpRoute.enabled }}
{{- $ctx := fromYaml (include "service.context" .) }}
{{- $name := $ctx.Chart.Name }}
{{- $r := $ctx.Values.httpRoute }}
{{- if not $r.parentRefs }}{{- fail (printf "%s: httpRoute.parentRefs names the Gateway to attach to" $name) }}{{- end }}
{{- $seconds := int $r.readTimeoutSeconds }}
{{- if and $seconds (lt $seconds 300) }}{{- fail (printf "%s: httpRoute.readTimeoutSeconds is below 300: a first POST may take 250 s and its client waits 260 s" $name) }}{{- end }}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "service.metadata" (dict "context" $ctx "labels" $r.labels "annotations" $r.annotations) | nindent 2 }}
spec:
  {{- /* What the API server would fill in is written, so that Argo CD finds no difference. */}}
  parentRefs:
    {{- range $r.parentRefs }}
    - {{- merge (deepCopy .) (dict "group" "gateway.networking.k8s.io" "kind" "Gateway") | toYaml | nindent 6 }}
    {{- end }}
  {{- with $r.hostnames | default (compact (list (.traits.host | default ""))) }}
  hostnames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - matches:
        {{- range $r.paths }}
        - path:
            type: {{ ternary "Exact" "PathPrefix" (eq . "/") }}
            value: {{ . }}
        {{- end }}
      {{- with $r.filters }}
      filters:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- if $seconds }}
      timeouts:
        request: {{ $seconds }}s
        backendRequest: {{ $seconds }}s
      {{- end }}
      backendRefs:
        - group: ""
          kind: Service
          name: {{ include "service.fullname" $ctx }}
          port: 80
          weight: 1
    {{- with $r.extraRules }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}
