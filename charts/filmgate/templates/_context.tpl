{{/* The umbrella's own jobs run in the image of a service, under that service's settings, the umbrella's name and the values of `section`. */}}
{{- define "filmgate.jobContext" -}}
{{- $root := .root -}}
{{- $image := deepCopy (index $root.Values .chart).image -}}
{{- $fixed := dict "image" $image "jobResources" (index $root.Values .section).resources "scratch" (dict "sizeLimit" "16Mi") "kafka" dict "networkPolicy" (dict "enabled" true) "operator" dict "telemetry" dict "privateCa" dict "serviceMonitor" dict "commonLabels" dict "commonAnnotations" dict "config" dict "secretEnv" dict "fullnameOverride" (printf "%s-%s" $root.Release.Name .name) "global" (omit $root.Values.global "telemetry") -}}
{{- $chart := dict "Name" .name "Version" $root.Chart.Version "AppVersion" $root.Chart.AppVersion -}}
{{- include "service.context" (dict "root" (dict "Values" (merge (deepCopy (index $root.Values .section)) $fixed) "Chart" $chart "Release" $root.Release) "traits" .traits) -}}
{{- end -}}

{{/* Of the umbrella's other objects. */}}
{{- define "filmgate.context" -}}
{{- $values := dict "fullnameOverride" .Release.Name "commonLabels" .Values.global.commonLabels "commonAnnotations" .Values.global.commonAnnotations -}}
{{- dict "Values" $values "Chart" (dict "Name" "filmgate" "Version" .Chart.Version "AppVersion" .Chart.AppVersion) "Release" .Release | toYaml -}}
{{- end -}}
