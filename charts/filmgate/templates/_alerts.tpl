{{/*
The expression of an alert on an objective, as multiwindow burn rates (Google's SRE workbook, chapter 5): the share of `bad` in `all`, in a long
window and, so that the alert ends soon after its cause, in a short one. `fast` spends 2 % of a month's budget in an hour, or 5 % in six; `slow`
10 % in three days. Fewer than failuresMin in the long window are no alert. `bad` and `all` are recorded rates; a sum of them over a window, times
the interval at which they are recorded, is a count.
*/}}
{{- define "filmgate.burnExpression" -}}
{{- $windows := dict "fast" (list (list "1h" "" 14.4) (list "6h" "[30m]" 6)) "slow" (list (list "3d" "[6h]" 1)) -}}
{{- $rule := .rule -}}
{{- $parts := list -}}
{{- range $window := index $windows $rule.burn -}}
{{- $limit := printf "%v * (1 - %v)" (index $window 2) $.objective.share -}}
{{- $share := printf "sum by (%s) (sum_over_time(%s[%s])) / sum by (%s) (sum_over_time(%s[%s]))" $rule.by $rule.bad (index $window 0) $rule.by $rule.all (index $window 0) -}}
{{- $recent := printf "sum by (%s) (%s) / sum by (%s) (%s)" $rule.by $rule.bad $rule.by $rule.all -}}
{{- with index $window 1 -}}
{{- $recent = printf "sum by (%s) (sum_over_time(%s%s)) / sum by (%s) (sum_over_time(%s%s))" $rule.by $rule.bad . $rule.by $rule.all . -}}
{{- end -}}
{{- $failures := printf "sum by (%s) (sum_over_time(%s[%s])) * 30 >= %d" $rule.by $rule.bad (index $window 0) (int $.failuresMin) -}}
{{- $parts = append $parts (printf "(%s > %s and %s > %s and %s)" $share $limit $recent $limit $failures) -}}
{{- end -}}
{{- join " or " $parts -}}
{{- end -}}

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
{{- $expression = include "filmgate.alertNumbers" (dict "root" .root "text" $expression) -}}
{{- $expression = $expression | replace "$jobs" (values .jobs | sortAlpha | join "|") | replace "[1h]" "[60m]" -}}
{{- $young := printf "(${1} and on (namespace, job, instance) process_uptime_seconds{%s} / 60 < ${2} or increase(${1}[${2}m]))" $ours -}}
{{- regexReplaceAll "counted\\(([^\\[]+)\\[(\\d+)m\\]\\)" $expression $young -}}
{{- end -}}

{{/* `$seconds(posts)` is the value alerts.objectives.posts.seconds, `$threshold(jobsWaiting)` the value alerts.thresholds.jobsWaiting. */}}
{{- define "filmgate.alertNumbers" -}}
{{- $text := .text -}}
{{- range $name, $objective := .root.Values.alerts.objectives -}}
{{- $text = $text | replace (printf "$seconds(%s)" $name) (printf "%v" $objective.seconds) -}}
{{- end -}}
{{- range $name, $threshold := .root.Values.alerts.thresholds -}}
{{- $text = $text | replace (printf "$threshold(%s)" $name) (printf "%v" $threshold) -}}
{{- end -}}
{{- if regexMatch "\\$(seconds|threshold)\\(" $text -}}{{- fail (printf "filmgate: no value for %s" $text) -}}{{- end -}}
{{- $text -}}
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
