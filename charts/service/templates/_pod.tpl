{{- define "service.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  {{- toYaml (.Values.seccompProfile | default (dict "type" "RuntimeDefault")) | nindent 2 }}
{{- end -}}

{{- define "service.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
privileged: false
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
capabilities:
  drop: [ALL]
seccompProfile:
  {{- toYaml (.Values.seccompProfile | default (dict "type" "RuntimeDefault")) | nindent 2 }}
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

{{/* What a Deployment's pods and a job's pods have in common. */}}
{{- define "service.podBasics" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  {{- include "service.podSecurity" . | nindent 2 }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  {{- include "service.volumes" . | nindent 2 }}
{{- end -}}

{{/* Spread over nodes and zones where there are several; a single node still takes all of them. */}}
{{- define "service.spread" -}}
affinity:
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
topologySpreadConstraints:
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "service.selectorLabels" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}
