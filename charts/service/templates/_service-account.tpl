{{- define "service.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "service.accountName" . }}
  {{- omit (fromYaml (include "service.metadata" (dict "context" . "annotations" .Values.serviceAccount.annotations))) "name" | toYaml | nindent 2 }}
automountServiceAccountToken: {{ .Values.serviceAccount.automountToken }}
{{- end -}}
{{- end -}}

{{- define "service.accountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "service.fullname" .) "default" .Values.serviceAccount.create) -}}
{{- end -}}

{{/* Of a Job or pod that runs as a hook, before the release's own account is there. Takes (dict "context" ctx "suffix" "-migrate"). */}}
{{- define "service.hookAccountName" -}}
{{- if .context.Values.serviceAccount.create -}}
{{- include "service.fullname" .context }}{{ .suffix | default "" -}}
{{- else -}}
{{- include "service.accountName" .context -}}
{{- end -}}
{{- end -}}

{{/* Its object, made right before the hook. Takes (dict "context" ctx "suffix" "-migrate" "hook" "pre-install,pre-upgrade"). Kept until the next hook: Argo CD may delete a succeeded one before its Job runs. */}}
{{- define "service.hookAccount" -}}
{{- if .context.Values.serviceAccount.create -}}
{{- $hook := dict "helm.sh/hook" .hook "helm.sh/hook-weight" "-20" "helm.sh/hook-delete-policy" "before-hook-creation" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "service.metadata" (dict "context" .context "suffix" (.suffix | default "") "annotations" (merge $hook .context.Values.serviceAccount.annotations)) | nindent 2 }}
automountServiceAccountToken: {{ .context.Values.serviceAccount.automountToken }}
---
{{ end -}}
{{- end -}}
