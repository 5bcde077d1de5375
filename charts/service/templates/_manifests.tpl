{{/*
Everything of one service. A service's own chart says only what is true of it (its traits):
  port          the port it listens on
  metricsPort   the port of its metrics, where clients reach the other
  uses          of: database kafka redis objectStore inputs outputs uploads presigned operator keyPepper
  migrates      it has /app/dist/migrate.js
  takesIngress  clients reach it through an ingress controller
  repeats       a POST that reached a pod which died may be sent to another one
  calledBy      services that call it over HTTP          calls  services it calls: [{name, port}]
  reaches       backends it opens connections to without being configured for them
  reachesWorld  it opens connections to public addresses
  backlogQuery  SQL for the jobs that wait               consumes  [{group, topic}] whose lag counts
  settings      environment that follows from other values
  cronJobs      [{name, schedule, deadlineSeconds, args}]
  secretFiles   Secrets' values as files of one folder: [{name, path, files: [{file, existingSecret, key}]}]
  mounts        ConfigMaps in folders of their own: [{name, path, existingConfigMap}] or [{name, path, files}]
*/}}
{{- define "service.manifests" -}}
{{- $ctx := fromYaml (include "service.context" .) -}}
{{- $v := $ctx.Values -}}
{{ with include "service.serviceAccount" $ctx }}
{{- . }}
---
{{ end -}}
{{ include "service.configMap" $ctx }}
{{- include "service.mountedConfigMaps" $ctx }}
---
{{ include "service.service" $ctx }}
---
{{ include "service.deployment" $ctx }}
{{- if $v.disruptionBudget.enabled }}
---
{{ include "service.disruptionBudget" $ctx }}
{{- end }}
{{- if $v.networkPolicy.enabled }}
---
{{ include "service.networkPolicy" $ctx }}
{{- if or $ctx.traits.migrates $ctx.traits.cronJobs }}
---
{{ include "service.jobNetworkPolicy" $ctx }}
{{- end }}
{{- end }}
{{- if and $v.horizontalAutoscaler $v.horizontalAutoscaler.enabled }}
---
{{ include "service.horizontalAutoscaler" $ctx }}
{{- end }}
{{- if and $v.keda $v.keda.enabled }}
---
{{ include "service.scaledObject" $ctx }}
{{- end }}
{{- if and $ctx.traits.migrates $v.migrations.enabled }}
---
{{ include "service.migrationJob" $ctx }}
{{- end }}
{{- range $ctx.traits.cronJobs }}
---
{{ include "service.cronJob" (merge (dict "context" $ctx) .) }}
{{- end }}
{{- if $v.serviceMonitor.enabled }}
---
{{ include "service.serviceMonitor" $ctx }}
{{- end }}
{{- include "service.extraObjects" $ctx }}
{{- end -}}

{{/* Objects of the operator's own; each is a map or a text. */}}
{{- define "service.extraObjects" -}}
{{- range .Values.extraObjects }}
---
{{ tpl (kindIs "string" . | ternary . (toYaml .)) $ }}
{{- end }}
{{- end -}}
