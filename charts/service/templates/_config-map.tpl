{{- define "service.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "service.fullname" . }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
data:
  {{- range $name, $value := fromYaml (include "service.settings" .) }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}
{{- end -}}

{{- define "service.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "service.fullname" . }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{- define "service.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "service.fullname" . }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
spec:
  type: ClusterIP
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
