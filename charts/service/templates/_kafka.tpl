{{/* How the brokers are reached beyond their names: what is secret lies in files, so that a rotated Secret is in force without a restart. */}}
{{- define "service.kafkaDir" -}}/etc/filmgate/kafka{{- end -}}

{{/* TLS, SASL and their parts as values.yaml means them; what makes no sense ends the render. */}}
{{- define "service.kafkaAccess" -}}
{{- $chart := .Chart.Name -}}
{{- $tls := .Values.kafka.tls | default dict -}}
{{- $sasl := .Values.kafka.sasl | default dict -}}
{{- $ca := $tls.ca | default dict -}}
{{- $client := $tls.clientCertificate | default dict -}}
{{- if and (or $ca $client) (not $tls.enabled) -}}{{- fail (printf "%s: kafka.tls.ca and kafka.tls.clientCertificate need kafka.tls.enabled" $chart) -}}{{- end -}}
{{- if and $ca (eq (empty $ca.existingSecret) (empty $ca.existingConfigMap)) -}}{{- fail (printf "%s: kafka.tls.ca names existingSecret or existingConfigMap, one of them" $chart) -}}{{- end -}}
{{- if $sasl -}}
{{- $mechanism := include "service.needed" (list $sasl.mechanism "kafka.sasl.mechanism" $chart) -}}
{{- $secrets := dict "plain" "the password" "oauthbearer" "the token" "aws-msk-iam" "the token" "google-iam" "the token" -}}
{{- if and (hasKey $secrets $mechanism) (not $tls.enabled) -}}{{- fail (printf "%s: kafka.sasl.mechanism %s sends %s in clear without kafka.tls.enabled" $chart $mechanism (get $secrets $mechanism)) -}}{{- end -}}
{{- if eq $mechanism "aws-msk-iam" -}}{{- $_ := include "service.needed" (list $sasl.region "kafka.sasl.region" $chart) -}}
{{- else if eq $mechanism "oauthbearer" -}}
{{- if eq (empty $sasl.tokenUrl) (empty $sasl.tokenFile) -}}{{- fail (printf "%s: kafka.sasl.mechanism oauthbearer names tokenUrl or tokenFile, one of them" $chart) -}}{{- end -}}
{{- if and $sasl.tokenUrl (not (and $sasl.assertionFile $sasl.username)) -}}{{- $_ := include "service.needed" (list $sasl.existingSecret "kafka.sasl.existingSecret" $chart) -}}{{- end -}}
{{- else if ne $mechanism "google-iam" -}}{{- $_ := include "service.needed" (list $sasl.existingSecret "kafka.sasl.existingSecret" $chart) -}}
{{- end -}}
{{- end -}}
{{- dict "tls" $tls "ca" $ca "client" $client "sasl" $sasl | toYaml -}}
{{- end -}}

{{- define "service.kafkaSettings" -}}
{{- $access := fromYaml (include "service.kafkaAccess" .) -}}
{{- $dir := include "service.kafkaDir" . -}}
{{- $settings := dict -}}
{{- if $access.tls.enabled -}}{{- $_ := set $settings "FILMGATE_KAFKA_TLS" "1" -}}{{- end -}}
{{- if $access.ca -}}{{- $_ := set $settings "FILMGATE_KAFKA_TLS_CA_FILE" (printf "%s/ca.crt" $dir) -}}{{- end -}}
{{- if $access.client -}}
{{- $_ := set $settings "FILMGATE_KAFKA_TLS_CERT_FILE" (printf "%s/tls.crt" $dir) -}}
{{- $_ := set $settings "FILMGATE_KAFKA_TLS_KEY_FILE" (printf "%s/tls.key" $dir) -}}
{{- end -}}
{{- with $access.sasl -}}
{{- $_ := set $settings "FILMGATE_KAFKA_SASL_MECHANISM" .mechanism -}}
{{- range $key, $name := dict "username" "SASL_USERNAME" "tokenUrl" "OAUTH_TOKEN_URL" "scope" "OAUTH_SCOPE" "assertionFile" "OAUTH_ASSERTION_FILE" "tokenFile" "OAUTH_TOKEN_FILE" "region" "AWS_REGION" -}}
{{- with get $access.sasl $key -}}{{- $_ := set $settings (printf "FILMGATE_KAFKA_%s" $name) . -}}{{- end -}}
{{- end -}}
{{- if .existingSecret -}}
{{- if not .username -}}{{- $_ := set $settings "FILMGATE_KAFKA_SASL_USERNAME_FILE" (printf "%s/username" $dir) -}}{{- end -}}
{{- if not .assertionFile -}}{{- $_ := set $settings "FILMGATE_KAFKA_SASL_PASSWORD_FILE" (printf "%s/password" $dir) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* One folder of all that is secret about the brokers; empty where nothing is. */}}
{{- define "service.kafkaVolume" -}}
{{- $access := fromYaml (include "service.kafkaAccess" .) -}}
{{- if or $access.ca $access.client $access.sasl.existingSecret -}}
- name: kafka
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- with $access.ca }}
      - {{ ternary "secret" "configMap" (not (empty .existingSecret)) }}:
          name: {{ .existingSecret | default .existingConfigMap }}
          items:
            - key: {{ .key | default "ca.crt" }}
              path: ca.crt
      {{- end }}
      {{- with $access.client }}
      - secret:
          name: {{ .existingSecret }}
          items:
            - key: tls.crt
              path: tls.crt
            - key: tls.key
              path: tls.key
      {{- end }}
      {{- with $access.sasl }}{{- if .existingSecret }}
      - secret:
          name: {{ .existingSecret }}
          items:
            {{- if not .username }}
            - key: {{ .usernameKey | default "username" }}
              path: username
            {{- end }}
            {{- if not .assertionFile }}
            - key: {{ .passwordKey | default "password" }}
              path: password
            {{- end }}
      {{- end }}{{- end }}
{{- end -}}
{{- end -}}

{{/* Whether KEDA can log in as the services do: it has no login by a file of a token, by an assertion or by Google's. */}}
{{- define "service.kafkaTriggerable" -}}
{{- $sasl := .Values.kafka.sasl | default dict -}}
{{- if not (or $sasl.tokenFile $sasl.assertionFile (eq ($sasl.mechanism | default "") "google-iam")) -}}true{{- end -}}
{{- end -}}

{{/* What KEDA is told of a trigger of Kafka: what is no secret beside the trigger, the rest by a TriggerAuthentication of its own. */}}
{{- define "service.kafkaTrigger" -}}
{{- $access := fromYaml (include "service.kafkaAccess" .) -}}
{{- $metadata := dict -}}
{{- if $access.tls.enabled -}}{{- $_ := set $metadata "tls" "enable" -}}{{- end -}}
{{- with $access.sasl -}}
{{- $_ := set $metadata "sasl" (get (dict "plain" "plaintext" "scram-sha-256" "scram_sha256" "scram-sha-512" "scram_sha512" "oauthbearer" "oauthbearer" "aws-msk-iam" "oauthbearer") .mechanism) -}}
{{- if eq .mechanism "aws-msk-iam" -}}{{- $_ := set $metadata "saslTokenProvider" "aws_msk_iam" -}}{{- $_ := set $metadata "awsRegion" .region -}}{{- end -}}
{{- end -}}
{{- if $metadata -}}{{- toYaml $metadata -}}{{- end -}}
{{- end -}}

{{- define "service.kafkaTriggerAuthentication" -}}
{{- $access := fromYaml (include "service.kafkaAccess" .) -}}
{{- $secrets := list -}}
{{- with $access.ca -}}{{- if .existingSecret -}}{{- $secrets = append $secrets (dict "parameter" "ca" "name" .existingSecret "key" (.key | default "ca.crt")) -}}{{- end -}}{{- end -}}
{{- with $access.client -}}
{{- $secrets = append $secrets (dict "parameter" "cert" "name" .existingSecret "key" "tls.crt") -}}
{{- $secrets = append $secrets (dict "parameter" "key" "name" .existingSecret "key" "tls.key") -}}
{{- end -}}
{{- with $access.sasl -}}{{- if .existingSecret -}}
{{- if not .username -}}{{- $secrets = append $secrets (dict "parameter" "username" "name" .existingSecret "key" (.usernameKey | default "username")) -}}{{- end -}}
{{- $secrets = append $secrets (dict "parameter" "password" "name" .existingSecret "key" (.passwordKey | default "password")) -}}
{{- end -}}{{- end -}}
{{- $spec := dict -}}
{{- if $secrets -}}{{- $_ := set $spec "secretTargetRef" $secrets -}}{{- end -}}
{{- if and $access.ca $access.ca.existingConfigMap -}}
{{- $_ := set $spec "configMapTargetRef" (list (dict "parameter" "ca" "name" $access.ca.existingConfigMap "key" ($access.ca.key | default "ca.crt"))) -}}
{{- end -}}
{{- $env := list -}}
{{- range $key, $known := dict "username" (list "username" "SASL_USERNAME") "tokenUrl" (list "oauthTokenEndpointUri" "OAUTH_TOKEN_URL") "scope" (list "scopes" "OAUTH_SCOPE") -}}
{{- if get ($access.sasl | default dict) $key -}}{{- $env = append $env (dict "parameter" (index $known 0) "name" (printf "FILMGATE_KAFKA_%s" (index $known 1)) "containerName" $.Chart.Name) -}}{{- end -}}
{{- end -}}
{{- if $env -}}{{- $_ := set $spec "env" $env -}}{{- end -}}
{{- if eq ($access.sasl.mechanism | default "") "aws-msk-iam" -}}{{- $_ := set $spec "podIdentity" (dict "provider" "aws") -}}{{- end -}}
{{- if $spec -}}
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  {{- include "service.metadata" (dict "context" . "suffix" "-kafka") | nindent 2 }}
spec:
  {{- toYaml $spec | nindent 2 }}
{{- end -}}
{{- end -}}
