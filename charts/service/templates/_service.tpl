{{- define "service.service" -}}
{{- $s := .Values.service -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "service.metadata" (dict "context" . "labels" $s.labels "annotations" $s.annotations) | nindent 2 }}
spec:
  type: {{ $s.type }}
  {{- range $name := list "internalTrafficPolicy" "externalTrafficPolicy" "trafficDistribution" "ipFamilyPolicy" "ipFamilies" }}
  {{- with get $s $name }}
  {{- dict $name . | toYaml | nindent 2 }}
  {{- end }}
  {{- end }}
  selector:
    {{- include "service.selectorLabels" . | nindent 4 }}
    app.kubernetes.io/component: server
  ports:
    - name: http
      port: 80
      targetPort: http
      appProtocol: http
    {{- with .traits.metricsPort }}
    - name: metrics
      port: {{ . }}
      targetPort: metrics
      appProtocol: http
    {{- end }}
{{- end -}}

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
