{{/*
Everything a pod mounts beside its scratch. A folder each and never a subPath, so that what is changed in a
ConfigMap or a Secret reaches the running pod.
*/}}
{{- define "service.volumes" -}}
{{- include "service.scratchVolume" . }}
{{- if has "kafka" .traits.uses }}
{{- with include "service.kafkaVolume" . }}
{{ . }}
{{- end }}
{{- end }}
{{- with .Values.privateCa }}
- name: private-ca
  {{- if .existingSecret }}
  secret:
    secretName: {{ .existingSecret }}
  {{- else }}
  configMap:
    name: {{ .existingConfigMap }}
  {{- end }}
    items:
      - key: {{ .key | default "ca.crt" }}
        path: ca.crt
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "service.volumeMounts" -}}
{{- include "service.scratchMount" . }}
{{- if and (has "kafka" .traits.uses) (include "service.kafkaVolume" .) }}
- name: kafka
  mountPath: {{ include "service.kafkaDir" . }}
  readOnly: true
{{- end }}
{{- if .Values.privateCa }}
- name: private-ca
  mountPath: /etc/filmgate/private-ca
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "service.listsOperators" -}}
{{- if and (has "operator" .traits.uses) .Values.operator.listSecret -}}true{{- end -}}
{{- end -}}

{{/* Of the server alone: the operators, the ConfigMaps of `mounts` and the Secrets of `secretFiles`. A hook Job runs before those that the release makes. */}}
{{- define "service.serverVolumes" -}}
{{- if include "service.listsOperators" . }}
- name: operators
  secret:
    secretName: {{ .Values.operator.listSecret }}
    # 0440
    defaultMode: 288
    items:
      - key: {{ .Values.operator.listKey | default "operators.json" }}
        path: operators.json
{{- end }}
{{- range .traits.mounts }}
- name: {{ .name }}
  configMap:
    name: {{ .existingConfigMap | default (printf "%s-%s" (include "service.fullname" $) .name) }}
{{- end }}
{{- range .traits.secretFiles }}
- name: {{ .name }}
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- range .files }}
      - secret:
          name: {{ .existingSecret }}
          items:
            - key: {{ .key }}
              path: {{ .file }}
      {{- end }}
{{- end }}
{{- end -}}

{{- define "service.serverVolumeMounts" -}}
{{- if include "service.listsOperators" . }}
- name: operators
  mountPath: /etc/filmgate/operators
  readOnly: true
{{- end }}
{{- range concat (.traits.mounts | default list) (.traits.secretFiles | default list) }}
- name: {{ .name }}
  mountPath: {{ .path }}
  readOnly: true
{{- end }}
{{- end -}}

{{/* The ConfigMaps whose content stands in the values. */}}
{{- define "service.mountedConfigMaps" -}}
{{- range .traits.mounts }}
{{- if not .existingConfigMap }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "service.metadata" (dict "context" $ "suffix" (printf "-%s" .name)) | nindent 2 }}
data:
  {{- toYaml .files | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
