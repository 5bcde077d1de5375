{{/* A profile of the node of `seccompProfile`, where a service has that value, is the pod's and its containers'. */}}
{{- define "service.securityContext" -}}
{{- $seccomp := index . 0 -}}
{{- merge (ternary (dict "seccompProfile" $seccomp) dict (not (empty $seccomp))) (index . 1) | toYaml -}}
{{- end -}}

{{- define "service.scratchVolume" -}}
- name: scratch
  emptyDir:
    sizeLimit: {{ .Values.scratch.sizeLimit }}
{{- end -}}

{{- define "service.scratchMount" -}}
- name: scratch
  mountPath: /tmp
{{- end -}}

{{/* Takes (list context component): the metadata of the pods of a Deployment or a Job, without its annotations. */}}
{{- define "service.podLabels" -}}
{{- $ctx := index . 0 -}}
{{- include "service.labels" (list $ctx (merge (dict "app.kubernetes.io/component" (index . 1)) $ctx.Values.podLabels)) -}}
{{- end -}}

{{/* What a Deployment's pods and a job's pods have in common. It ends with the volumes, to which the Deployment adds. */}}
{{- define "service.podBasics" -}}
automountServiceAccountToken: {{ .Values.serviceAccount.automountToken }}
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- with fromYaml (include "service.securityContext" (list .Values.seccompProfile .Values.podSecurityContext)) }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- range $name := list "priorityClassName" "runtimeClassName" "schedulerName" "dnsPolicy" "dnsConfig" "hostAliases" "nodeSelector" "tolerations" "initContainers" }}
{{- with get $.Values $name }}
{{ dict $name . | toYaml }}
{{- end }}
{{- end }}
volumes:
  {{- include "service.volumes" . | nindent 2 }}
{{- end -}}

{{/* Spread over nodes and zones where there are several; a single node still takes all of them. */}}
{{- define "service.spread" -}}
affinity:
  {{- if not .Values.affinity.podAntiAffinity }}
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          {{- /* Of the same roll only: a pod that is being replaced must not push its successors onto one node. */}}
          matchLabelKeys: [pod-template-hash]
          labelSelector:
            matchLabels:
              {{- include "service.selectorLabels" . | nindent 14 }}
  {{- end }}
  {{- with .Values.affinity }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
topologySpreadConstraints:
{{- $counted := dict "labelSelector" (dict "matchLabels" (fromYaml (include "service.selectorLabels" .))) "matchLabelKeys" (list "pod-template-hash") }}
{{- range .Values.topologySpreadConstraints }}
  - {{- toYaml (ternary . (merge (deepCopy .) $counted) (hasKey . "labelSelector")) | nindent 4 }}
{{- else }}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - {{- merge (dict "maxSkew" 1 "topologyKey" . "whenUnsatisfiable" "ScheduleAnyway") $counted | toYaml | nindent 4 }}
{{- end }}
{{- end }}
{{- end -}}
