{{/* The release's name and the service's, without saying the same word twice. */}}
{{- define "service.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The Service of another service of the release, named as its own chart names it. */}}
{{- define "service.neighbour" -}}
{{- $root := index . 0 -}}
{{- include "service.fullname" (dict "Values" dict "Chart" (dict "Name" (index . 1)) "Release" $root.Release) -}}
{{- end -}}

{{- define "service.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "service.ownLabels" -}}
{{ include "service.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: filmgate
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Takes (list context labels): the chart's own labels, then these, then commonLabels; the first that has a name wins. */}}
{{- define "service.labels" -}}
{{- $ctx := index . 0 -}}
{{- merge (fromYaml (include "service.ownLabels" $ctx)) (index . 1) $ctx.Values.commonLabels | toYaml -}}
{{- end -}}

{{/* Takes (dict "context" ctx) with, where the object has them, "suffix" of its name, "labels" and "annotations". */}}
{{- define "service.metadata" -}}
name: {{ include "service.fullname" .context }}{{ .suffix | default "" }}
labels:
  {{- include "service.labels" (list .context (.labels | default dict)) | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) .context.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A digest, where one is given, wins over the tag: it is what was tested. */}}
{{- define "service.image" -}}
{{- $image := .Values.image -}}
{{- $name := $image.repository -}}
{{- if $image.registry -}}{{- $name = printf "%s/%s" $image.registry $name -}}{{- end -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $name $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name ($image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
