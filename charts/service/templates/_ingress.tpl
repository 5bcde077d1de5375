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
  name: {{ include "service.fullname" $ctx }}
  labels:
    {{- include "service.labels" $ctx | nindent 4 }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $i.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with $i.tlsSecret }}
  tls:
    - secretName: {{ . }}
      hosts:
        {{- toYaml $hosts | nindent 8 }}
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
{{- end }}
{{- end -}}

{{- define "service.httpRoute" -}}
{{- if .root.Values.httpRoute.enabled }}
{{- $ctx := fromYaml (include "service.context" .) }}
{{- $name := $ctx.Chart.Name }}
{{- $r := $ctx.Values.httpRoute }}
{{- if not $r.parentRefs }}{{- fail (printf "%s: httpRoute.parentRefs names the Gateway to attach to" $name) }}{{- end }}
{{- if lt (int $r.readTimeoutSeconds) 300 }}{{- fail (printf "%s: httpRoute.readTimeoutSeconds is below 300: a first POST may take 250 s and its client waits 260 s" $name) }}{{- end }}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ include "service.fullname" $ctx }}
  labels:
    {{- include "service.labels" $ctx | nindent 4 }}
spec:
  parentRefs:
    {{- toYaml $r.parentRefs | nindent 4 }}
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
      timeouts:
        request: {{ int $r.readTimeoutSeconds }}s
        backendRequest: {{ int $r.readTimeoutSeconds }}s
      backendRefs:
        - name: {{ include "service.fullname" $ctx }}
          port: 80
{{- end }}
{{- end -}}
