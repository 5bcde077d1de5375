{{/* The umbrella's own jobs run in the image of a service, under that service's settings and the umbrella's name. */}}
{{- define "filmgate.jobContext" -}}
{{- $root := .root -}}
{{- $chart := .chart -}}
{{- $image := deepCopy (index $root.Values $chart).image -}}
{{- range $key, $value := $root.Values.global.image -}}{{- if not (get $image $key) -}}{{- $_ := set $image $key $value -}}{{- end -}}{{- end -}}
{{- $values := dict "image" $image "jobResources" .resources "scratch" (dict "sizeLimit" "16Mi") "kafka" $root.Values.global.kafka "config" dict "secretEnv" dict "networkPolicy" $root.Values.global.networkPolicy "privateCa" ($root.Values.global.privateCa | default dict) "extraVolumes" list "extraVolumeMounts" list "telemetry" dict "serviceMonitor" dict "operator" $root.Values.global.operator "fullnameOverride" (printf "%s-%s" $root.Release.Name .name) -}}
{{- dict "Values" $values "Chart" (dict "Name" .name "Version" $root.Chart.Version "AppVersion" $root.Chart.AppVersion) "Release" $root.Release "traits" .traits | toYaml -}}
{{- end -}}

{{- define "filmgate.jobResources" -}}
requests: {cpu: 50m, memory: 96Mi, ephemeral-storage: 32Mi}
limits: {cpu: "1", memory: 256Mi, ephemeral-storage: 64Mi}
{{- end -}}

{{- define "filmgate.labels" -}}
app.kubernetes.io/name: filmgate
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: filmgate
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
