{{/* The pod of anything that runs once: takes (dict "context" ctx "command" "/app/x.js" "extraArgs" (list …)). */}}
{{- define "service.jobPod" -}}
{{- $ctx := .context -}}
metadata:
  labels:
    {{- include "service.labels" $ctx | nindent 4 }}
    app.kubernetes.io/component: job
spec:
  restartPolicy: Never
  {{- include "service.podBasics" $ctx | nindent 2 }}
  terminationGracePeriodSeconds: 30
  containers:
    - name: {{ .name }}
      image: {{ include "service.image" $ctx }}
      imagePullPolicy: {{ $ctx.Values.image.pullPolicy | default "Always" }}
      args:
        {{- toYaml .args | nindent 8 }}
      env:
        {{- include "service.inlineEnvironment" $ctx | trim | nindent 8 }}
      resources:
        {{- toYaml $ctx.Values.jobResources | nindent 8 }}
      securityContext:
        {{- include "service.containerSecurity" $ctx | nindent 8 }}
      volumeMounts:
        {{- include "service.volumeMounts" $ctx | nindent 8 }}
{{- end -}}

{{/*
Migrations run before the new pods of an install or upgrade. Several at once are harmless: the command takes an advisory lock,
and a lock_timeout keeps it from queueing in front of the traffic of the version that is still serving.
*/}}
{{- define "service.migrationJob" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "service.fullname" . }}-migrate
  labels:
    {{- include "service.labels" . | nindent 4 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "0"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  backoffLimit: {{ .Values.migrations.tries }}
  activeDeadlineSeconds: {{ .Values.migrations.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    {{- include "service.jobPod" (dict "context" . "name" "migrate" "args" (list "/app/dist/migrate.js")) | nindent 4 }}
{{- end -}}

{{/* takes (dict "context" ctx "name" "audit" "schedule" "…" "deadlineSeconds" n "args" (list …)) */}}
{{- define "service.cronJob" -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ printf "%s-%s" (include "service.fullname" .context) .name }}
  labels:
    {{- include "service.labels" .context | nindent 4 }}
spec:
  schedule: {{ .schedule | quote }}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 300
  successfulJobsHistoryLimit: 1
  failedJobsHistoryLimit: 3
  jobTemplate:
    metadata:
      labels:
        {{- include "service.labels" .context | nindent 8 }}
    spec:
      backoffLimit: 0
      activeDeadlineSeconds: {{ .deadlineSeconds }}
      ttlSecondsAfterFinished: 86400
      template:
        {{- include "service.jobPod" . | nindent 8 }}
{{- end -}}
