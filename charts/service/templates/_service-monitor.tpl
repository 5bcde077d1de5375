{{- define "service.serviceMonitor" -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "service.metadata" (dict "context" . "labels" .Values.serviceMonitor.labels "annotations" .Values.serviceMonitor.annotations) | nindent 2 }}
spec:
  selector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
  endpoints:
    - port: {{ ternary "metrics" "http" (hasKey .traits "metricsPort") }}
      path: /metrics
      {{- range $name := list "interval" "scrapeTimeout" "relabelings" "metricRelabelings" }}
      {{- with get $.Values.serviceMonitor $name }}
      {{- dict $name . | toYaml | nindent 6 }}
      {{- end }}
      {{- end }}
{{- end -}}
