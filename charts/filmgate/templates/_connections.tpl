{{/* The connections that a service opens to Postgres at most: as many pods as a rollout at full scale has, a Job, an audit, KEDA's query. */}}
{{- define "filmgate.connectionsOf" -}}
{{- $v := index .values .service -}}
{{- $poolMax := dict "gateway" 16 "ledger" 8 "media-probe" 12 "dispatcher" 8 "console" 12 "webhooks" 12 -}}
{{- $pool := int (default (index $poolMax .service) (default dict $v.config).FILMGATE_POOL_MAX) -}}
{{- $autoscaler := $v.horizontalAutoscaler | default $v.keda | default dict -}}
{{- $replicas := int ($v.replicas | default 1) -}}
{{- if $autoscaler.enabled -}}{{- $replicas = int $autoscaler.maxReplicas -}}{{- end -}}
{{- $surge := toString $v.rollout.maxSurge -}}
{{- $surging := hasSuffix "%" $surge | ternary (divf (mulf $replicas (trimSuffix "%" $surge | float64)) 100 | ceil | int) (int $surge) -}}
{{- $pooled := empty $v.database.directKey | ternary (mul (add $replicas $surging) $pool) 0 -}}
{{- $queries := 0 -}}
{{- if and $v.keda $v.keda.enabled -}}{{- $queries = 1 -}}{{- end -}}
{{- add $pooled 2 $queries -}}
{{- end -}}

{{/* Refuses more connections than a server has. Connections of a pooler are part of `reserved`. */}}
{{- define "filmgate.checkConnections" -}}
{{- $all := list "gateway" "ledger" "media-probe" "dispatcher" "console" "webhooks" -}}
{{- range $server := .Values.postgres -}}
{{- $sum := int ($server.reserved | default 10) -}}
{{- $parts := list -}}
{{- range $service := ($server.services | default $all) -}}
{{- if ne (toString (index $.Values $service).enabled) "false" -}}
{{- $count := int (include "filmgate.connectionsOf" (dict "values" $.Values "service" $service)) -}}
{{- $sum = add $sum $count -}}
{{- $parts = append $parts (printf "%s %d" $service $count) -}}
{{- end -}}
{{- end -}}
{{- if gt (int $sum) (int $server.maxConnections) -}}
{{- fail (printf "postgres: %s and %d reserved are %d connections, more than maxConnections %d: docs/operations.md, Connections" (join ", " $parts) (int ($server.reserved | default 10)) (int $sum) (int $server.maxConnections)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
