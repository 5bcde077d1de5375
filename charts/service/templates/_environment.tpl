{{/* Plain settings: what the chart knows about its neighbours, then what values.config adds or overrides. */}}
{{- define "service.settings" -}}
{{- $v := .Values -}}
{{- $settings := dict "PORT" (toString .traits.port) -}}
{{- with .traits.metricsPort -}}{{- $_ := set $settings "FILMGATE_METRICS_PORT" (toString .) -}}{{- end -}}
{{- if has "kafka" .traits.uses -}}
{{- $_ := set $settings "KAFKA_BROKERS" (include "service.needed" (list $v.kafka.brokers "kafka.brokers" .Chart.Name)) -}}
{{- $_ := set $settings "FILMGATE_TOPIC_PREFIX" ($v.kafka.topicPrefix | default "filmgate") -}}
{{- range $name, $value := fromYaml (include "service.kafkaSettings" .) -}}{{- $_ := set $settings $name $value -}}{{- end -}}
{{- end -}}
{{- if has "objectStore" .traits.uses -}}
{{- $store := $v.objectStore -}}
{{- $_ := set $settings "S3_ENDPOINT" (include "service.needed" (list $store.endpoint "objectStore.endpoint" .Chart.Name)) -}}
{{- $_ := set $settings "S3_REGION" ($store.region | default "us-east-1") -}}
{{- end -}}
{{- if has "inputs" .traits.uses -}}{{- $_ := set $settings "S3_INPUTS_BUCKET" ($v.objectStore.inputsBucket | default "filmgate-inputs") -}}{{- end -}}
{{- if and (has "presigned" .traits.uses) $v.objectStore.publicEndpoint -}}{{- $_ := set $settings "S3_PUBLIC_ENDPOINT" $v.objectStore.publicEndpoint -}}{{- end -}}
{{- if has "uploads" .traits.uses -}}{{- $_ := set $settings "S3_UPLOADS_BUCKET" ($v.objectStore.uploadsBucket | default "filmgate-uploads") -}}{{- end -}}
{{- if has "outputs" .traits.uses -}}
{{- $_ := set $settings "S3_OUTPUTS_BUCKET" ($v.objectStore.outputsBucket | default "filmgate-outputs") -}}
{{- $_ := set $settings "FILMGATE_OUTPUT_BASE_URL" (include "service.needed" (list $v.objectStore.outputBaseUrl "objectStore.outputBaseUrl" .Chart.Name)) -}}
{{- if $v.objectStore.outputsPublicRead -}}{{- $_ := set $settings "S3_OUTPUTS_PUBLIC_READ" "1" -}}{{- end -}}
{{- end -}}
{{- if has "operator" .traits.uses -}}
{{- with $v.operator.role -}}{{- $_ := set $settings "FILMGATE_OPERATOR_TOKEN_ROLE" . -}}{{- end -}}
{{- if $v.operator.listSecret -}}{{- $_ := set $settings "FILMGATE_OPERATORS_FILE" "/etc/filmgate/operators/operators.json" -}}{{- end -}}
{{- end -}}
{{- with $v.privateCa -}}
{{- if eq (empty .existingSecret) (empty .existingConfigMap) -}}{{- fail (printf "%s: privateCa names existingSecret or existingConfigMap, one of them" $.Chart.Name) -}}{{- end -}}
{{- $_ := set $settings "NODE_EXTRA_CA_CERTS" "/etc/filmgate/private-ca/ca.crt" -}}
{{- end -}}
{{- if and $v.telemetry $v.telemetry.otlpEndpoint -}}{{- $_ := set $settings "OTEL_EXPORTER_OTLP_ENDPOINT" $v.telemetry.otlpEndpoint -}}{{- end -}}
{{- if and $v.fetch $v.fetch.contact -}}{{- $_ := set $settings "FILMGATE_FETCH_CONTACT" $v.fetch.contact -}}{{- end -}}
{{- if and (has "recovery" .traits.uses) $v.recovery -}}{{- $_ := set $settings "FILMGATE_RECOVERY" "true" -}}{{- end -}}
{{- range $name, $value := .traits.settings -}}{{- $_ := set $settings $name (toString $value) -}}{{- end -}}
{{- range $name, $value := $v.config -}}{{- if not (kindIs "invalid" $value) -}}{{- $_ := set $settings $name (kindIs "float64" $value | ternary (int64 $value | toString) (toString $value)) -}}{{- end -}}{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- define "service.secretVariable" -}}
{{- $name := index . 0 -}}{{- $secret := index . 1 -}}{{- $key := index . 2 -}}{{- $optional := and (gt (len .) 3) (index . 3) -}}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ $key }}
      {{- if $optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* A secret of ours, and what is accepted beside it while it is rotated (docs/secrets.md): the same Secret's key with -accepted, if it is there. */}}
{{- define "service.rotatedVariable" -}}
{{- $name := index . 0 -}}{{- $secret := index . 1 -}}{{- $key := index . 2 -}}
{{ include "service.secretVariable" . }}
{{ include "service.secretVariable" (list (printf "%s_ACCEPTED" $name) $secret (printf "%s-accepted" $key) true) }}
{{- end -}}

{{/* Secrets are always somebody else's objects: the charts name them and never make one. */}}
{{- define "service.secrets" -}}
{{- $v := .Values -}}
{{- $chart := .Chart.Name -}}
{{- if has "database" .traits.uses }}
{{ include "service.secretVariable" (list "DATABASE_URL" (include "service.needed" (list $v.database.existingSecret "database.existingSecret" $chart)) $v.database.key) }}
{{- with $v.database.directKey }}
{{ include "service.secretVariable" (list "DATABASE_DIRECT_URL" $v.database.existingSecret .) }}
{{- end }}
{{- end }}
{{- if has "redis" .traits.uses }}
{{ include "service.secretVariable" (list "REDIS_URL" (include "service.needed" (list $v.redis.existingSecret "redis.existingSecret" $chart)) $v.redis.key) }}
{{- end }}
{{- if and (has "objectStore" .traits.uses) $v.objectStore.existingSecret }}
{{ include "service.secretVariable" (list "S3_ACCESS_KEY_ID" $v.objectStore.existingSecret ($v.objectStore.accessKeyIdKey | default "access-key-id")) }}
{{ include "service.secretVariable" (list "S3_SECRET_ACCESS_KEY" $v.objectStore.existingSecret ($v.objectStore.secretAccessKeyKey | default "secret-access-key")) }}
{{- end }}
{{- if has "operator" .traits.uses }}
{{ include "service.rotatedVariable" (list "FILMGATE_OPERATOR_TOKEN" (include "service.needed" (list $v.operator.existingSecret "operator.existingSecret" $chart)) ($v.operator.key | default "token")) }}
{{- end }}
{{- if has "keyPepper" .traits.uses }}
{{ include "service.rotatedVariable" (list "FILMGATE_KEY_PEPPER" (include "service.needed" (list $v.keyPepper.existingSecret "keyPepper.existingSecret" $chart)) ($v.keyPepper.key | default "pepper")) }}
{{- end }}
{{- range $name, $ref := .traits.secrets }}
{{ include (ternary "service.rotatedVariable" "service.secretVariable" (not (empty $ref.rotated))) (list $name (include "service.needed" (list $ref.existingSecret (printf "%s.existingSecret" $ref.value) $chart)) $ref.key $ref.optional) }}
{{- end }}
{{- range $name, $ref := $v.secretEnv }}
{{ include "service.secretVariable" (list $name $ref.existingSecret $ref.key) }}
{{- end }}
{{- end -}}

{{/* Jobs run before the ConfigMap of a first install exists, so they carry their settings themselves. */}}
{{- define "service.inlineEnvironment" -}}
{{- range $name, $value := fromYaml (include "service.settings" .) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "service.secrets" . }}
{{- end -}}

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
