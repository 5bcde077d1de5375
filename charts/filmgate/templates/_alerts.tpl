{{/*
An expression of alerts/*.yaml for this release: `$ours` is its namespace, `$job(ledger)` the name under which a service is scraped, `$jobs` any
of them. `counted(series[15m])` is what a counter rose by, and all that a process has counted that is younger than the window
(docs/decisions/0115).
*/}}
{{- define "filmgate.alertExpression" -}}
{{- $ours := printf "namespace=%q" .root.Release.Namespace -}}
{{- $expression := regexReplaceAll "\\s+" .expression " " | replace "$ours" $ours -}}
{{- range $chart, $job := .jobs -}}
{{- $expression = $expression | replace (printf "$job(%s)" $chart) $job -}}
{{- end -}}
{{- $expression = $expression | replace "$jobs" (values .jobs | sortAlpha | join "|") | replace "[1h]" "[60m]" -}}
{{- $young := printf "(${1} and on (namespace, job, instance) process_uptime_seconds{%s} / 60 < ${2} or increase(${1}[${2}m]))" $ours -}}
{{- regexReplaceAll "counted\\(([^\\[]+)\\[(\\d+)m\\]\\)" $expression $young -}}
{{- end -}}

{{/* Service → the name of its Service, which is the job it is scraped under. */}}
{{- define "filmgate.jobs" -}}
{{- $root := . -}}
{{- range $chart := list "gateway" "ledger" "catalog" "media-probe" "dispatcher" "console" "webhooks" "simulator" -}}
{{- $values := index $root.Values $chart -}}
{{- if or (not (has $chart (list "console" "webhooks" "simulator"))) $values.enabled }}
{{ $chart }}: {{ include "service.fullname" (dict "Values" $values "Chart" (dict "Name" $chart) "Release" $root.Release) }}
{{- end -}}
{{- end -}}
{{- end -}}
