{{- define "service.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
data:
  {{- range $name, $value := fromYaml (include "service.settings" .) }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}
{{- end -}}

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
