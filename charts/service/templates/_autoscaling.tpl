{{- define "service.isAutoscaled" -}}
{{- if or (and .Values.horizontalAutoscaler .Values.horizontalAutoscaler.enabled) (and .Values.keda .Values.keda.enabled) -}}true{{- end -}}
{{- end -}}

{{- define "service.horizontalAutoscaler" -}}
{{- $a := .Values.horizontalAutoscaler -}}
{{- if lt (int $a.maxReplicas) (int $a.minReplicas) -}}{{- fail (printf "%s: horizontalAutoscaler.maxReplicas is below minReplicas" .Chart.Name) -}}{{- end -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "service.fullname" . }}
  minReplicas: {{ $a.minReplicas }}
  maxReplicas: {{ $a.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $a.cpuPercent }}
    {{- with $a.metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  behavior:
    {{- $up := dict "stabilizationWindowSeconds" 0 "policies" (list (dict "type" "Percent" "value" 100 "periodSeconds" 15)) }}
    {{- $down := dict "stabilizationWindowSeconds" $a.scaleDownSeconds "policies" (list (dict "type" "Percent" "value" 25 "periodSeconds" 30)) }}
    {{- merge (deepCopy ($a.behavior | default dict)) (dict "scaleUp" $up "scaleDown" $down) | toYaml | nindent 4 }}
{{- end -}}

{{/*
Kafka gives a partition to one consumer of a group, so replicas past the number of partitions would sit idle. The backlog of
jobs is read from the service's own database with the service's own credentials.
*/}}
{{- define "service.scaledObject" -}}
{{- $k := .Values.keda -}}
{{- $partitions := int (.Values.kafka.partitions | default 12) -}}
{{- $prefix := .Values.kafka.topicPrefix | default "filmgate" -}}
{{- if gt (int $k.maxReplicas) $partitions -}}{{- fail (printf "%s: keda.maxReplicas %d is more than the %d partitions of its topics" .Chart.Name (int $k.maxReplicas) $partitions) -}}{{- end -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
spec:
  scaleTargetRef:
    name: {{ include "service.fullname" . }}
  minReplicaCount: {{ $k.minReplicas }}
  maxReplicaCount: {{ $k.maxReplicas }}
  pollingInterval: {{ $k.pollingSeconds }}
  cooldownPeriod: {{ $k.scaleDownSeconds }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        {{- merge (deepCopy ($k.behavior | default dict)) (dict "scaleDown" (dict "stabilizationWindowSeconds" $k.scaleDownSeconds)) | toYaml | nindent 8 }}
  triggers:
    - type: postgresql
      name: jobs
      metadata:
        query: {{ .traits.backlogQuery | quote }}
        targetQueryValue: {{ $k.jobsPerReplica | quote }}
      authenticationRef:
        name: {{ include "service.fullname" . }}
    {{- if include "service.kafkaTriggerable" . }}
    {{- range .traits.consumes }}
    - type: kafka
      name: {{ printf "lag-%s" .topic | replace "." "-" }}
      metadata:
        bootstrapServers: {{ $.Values.kafka.brokers }}
        consumerGroup: {{ printf "%s.%s" $prefix .group }}
        topic: {{ printf "%s.%s" $prefix .topic }}
        lagThreshold: {{ $k.lagPerReplica | quote }}
        offsetResetPolicy: earliest
        {{- with include "service.kafkaTrigger" $ }}
        {{- . | nindent 8 }}
        {{- end }}
      {{- if include "service.kafkaTriggerAuthentication" $ }}
      authenticationRef:
        name: {{ include "service.fullname" $ }}-kafka
      {{- end }}
    {{- end }}
    {{- end }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
spec:
  secretTargetRef:
    - parameter: connection
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.directKey | default .Values.database.key }}
{{- if include "service.kafkaTriggerable" . }}
{{- with include "service.kafkaTriggerAuthentication" . }}
---
{{ . }}
{{- end }}
{{- end }}
{{- end -}}
