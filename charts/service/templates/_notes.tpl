{{/* What is said after an install of a service's chart alone. */}}
{{- define "service.notes" -}}
{{- $ctx := fromYaml (include "service.context" .) -}}
{{- $name := include "service.fullname" $ctx -}}
{{- $k := printf "kubectl -n %s" $ctx.Release.Namespace -}}
{{ $ctx.Chart.Name }} {{ $ctx.Chart.AppVersion }} is {{ $name }} in {{ $ctx.Release.Namespace }}.

  {{ $k }} rollout status deployment/{{ $name }}
  {{ $k }} logs -f deployment/{{ $name }}
  {{ $k }} port-forward service/{{ $name }} {{ $ctx.traits.port }}:80     # /readyz names what it waits for
  {{ $k }} port-forward service/{{ $name }} {{ $ctx.traits.metricsPort | default $ctx.traits.port }}{{ if not $ctx.traits.metricsPort }}:80{{ end }}     # /metrics has its figures

A pod that restarts with status 78 names in its log every fault of its environment.
{{- end -}}
