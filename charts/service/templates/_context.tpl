{{/*
service.context takes (dict "root" $ "traits" {…}) and gives the context every other template here works on: the chart's own
values over what .Values.global says (an empty value of the chart's own means: as global says), and the traits beside them.
*/}}
{{- define "service.context" -}}
{{- $root := .root -}}
{{- $values := omit (deepCopy $root.Values) "global" -}}
{{- range $section, $shared := $root.Values.global -}}
{{- $own := get $values $section -}}
{{- if and (kindIs "map" $shared) (kindIs "map" $own) -}}
{{- range $key, $value := $shared -}}
{{- if not (get $own $key) -}}{{- $_ := set $own $key $value -}}{{- end -}}
{{- end -}}
{{- else if and (hasKey $values $section) (not $own) -}}
{{- $_ := set $values $section $shared -}}
{{- end -}}
{{- end -}}
{{- $global := $root.Values.global | default dict -}}
{{- $_ := set $values.networkPolicy "enabled" (and $root.Values.networkPolicy.enabled (dig "networkPolicy" "enabled" true $global)) -}}
{{- if $global.recovery -}}{{- $_ := set $values "recovery" true -}}{{- end -}}
{{- dict "Values" $values "Chart" (dict "Name" $root.Chart.Name "Version" $root.Chart.Version "AppVersion" $root.Chart.AppVersion) "Release" $root.Release "traits" .traits | toYaml -}}
{{- end -}}

{{/* What a release says of its console, to a chart that has a section for it and to one that hasn't; empty where there is no console. */}}
{{- define "service.console" -}}
{{- $said := dict -}}
{{- range $values := list (.Values.global | default dict) .Values -}}
{{- range $key, $value := get $values "console" | default dict -}}{{- if $value -}}{{- $_ := set $said $key $value -}}{{- end -}}{{- end -}}
{{- end -}}
{{- toYaml $said -}}
{{- end -}}

{{/* A value without which nothing can run, asked for by its name. */}}
{{- define "service.needed" -}}
{{- $value := index . 0 -}}
{{- $name := index . 1 -}}
{{- $chart := index . 2 -}}
{{- if not $value -}}{{- fail (printf "%s: set %s (or global.%s)" $chart $name $name) -}}{{- end -}}
{{- $value -}}
{{- end -}}
