{{/* The pod of anything that runs once: takes (dict "context" ctx "name" "migrate" "args" (list …) "account" its service account). */}}
{{- define "service.jobPod" -}}
{{- $ctx := .context -}}
metadata:
  labels:
    {{- include "service.podLabels" (list $ctx "job") | nindent 4 }}
  {{- with merge (deepCopy $ctx.Values.podAnnotations) $ctx.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ .account }}
  {{- with $ctx.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
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
        {{- with $ctx.Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $ctx.Values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      resources:
        {{- toYaml $ctx.Values.jobResources | nindent 8 }}
      securityContext:
        {{- include "service.securityContext" (list $ctx.Values.seccompProfile $ctx.Values.securityContext) | nindent 8 }}
      volumeMounts:
        {{- include "service.volumeMounts" $ctx | nindent 8 }}
{{- end -}}

{{/*
Migrations run before the new pods of an install or upgrade. Several at once are harmless: the command takes an advisory lock,
and a lock_timeout keeps it from queueing in front of the traffic of the version that is still serving.
*/}}
{{- define "service.migrationJob" -}}
{{- $account := dict "context" . "suffix" "-migrate" "hook" "pre-install,pre-upgrade" -}}
{{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" "0" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{ include "service.hookAccount" $account }}
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "service.metadata" (dict "context" . "suffix" "-migrate" "annotations" $hook) | nindent 2 }}
spec:
  backoffLimit: {{ .Values.migrations.tries }}
  activeDeadlineSeconds: {{ .Values.migrations.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    {{- include "service.jobPod" (dict "context" . "name" "migrate" "args" (list "/app/dist/migrate.js") "account" (include "service.hookAccountName" $account)) | nindent 4 }}
{{- end -}}

{{/* takes (dict "context" ctx "name" "audit" "schedule" "…" "deadlineSeconds" n "args" (list …)) */}}
{{- define "service.cronJob" -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  {{- include "service.metadata" (dict "context" .context "suffix" (printf "-%s" .name)) | nindent 2 }}
spec:
  schedule: {{ .schedule | quote }}
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 300
  successfulJobsHistoryLimit: 1
  failedJobsHistoryLimit: 3
  jobTemplate:
    metadata:
      labels:
        {{- include "service.labels" (list .context dict) | nindent 8 }}
    spec:
      backoffLimit: 0
      activeDeadlineSeconds: {{ .deadlineSeconds }}
      ttlSecondsAfterFinished: 86400
      template:
        {{- include "service.jobPod" (merge (dict "account" (include "service.accountName" .context)) .) | nindent 8 }}
{{- end -}}
