{{/*
The number of replicas is left out wherever an autoscaler owns it: a chart that writes it would pull it back at every upgrade,
and one that starts to leave it out later would fall to a single replica until the autoscaler acts.
*/}}
{{- define "service.deployment" -}}
{{- $v := .Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "service.metadata" (dict "context" . "labels" $v.deploymentLabels "annotations" $v.deploymentAnnotations) | nindent 2 }}
spec:
  {{- if and (not (include "service.isAutoscaled" .)) (not (kindIs "invalid" $v.replicas)) }}
  replicas: {{ $v.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ $v.rollout.revisionHistoryLimit }}
  minReadySeconds: {{ $v.rollout.minReadySeconds }}
  progressDeadlineSeconds: {{ $v.rollout.progressDeadlineSeconds }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: {{ $v.rollout.maxSurge }}
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: server
  template:
    metadata:
      labels:
        {{- include "service.podLabels" (list . "server") | nindent 8 }}
      annotations:
        {{- $checksums := dict "checksum/config" (include "service.settings" . | sha256sum) }}
        {{- with include "service.mountedConfigMaps" . | trim }}
        {{- $_ := set $checksums "checksum/mounts" (sha256sum .) }}
        {{- end }}
        {{- merge $checksums $v.podAnnotations $v.commonAnnotations | toYaml | nindent 8 }}
    spec:
      serviceAccountName: {{ include "service.accountName" . }}
      {{- include "service.podBasics" . | nindent 6 }}
        {{- with include "service.serverVolumes" . | trim }}
        {{- . | nindent 8 }}
        {{- end }}
      {{- include "service.spread" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ $v.shutdown.graceSeconds }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "service.image" . }}
          imagePullPolicy: {{ $v.image.pullPolicy | default "Always" }}
          args: [/app/dist/main.js]
          ports:
            - name: http
              containerPort: {{ .traits.port }}
            {{- with .traits.metricsPort }}
            - name: metrics
              containerPort: {{ . }}
            {{- end }}
          envFrom:
            - configMapRef:
                name: {{ include "service.fullname" . }}
            {{- with $v.extraEnvFrom }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            {{- with include "service.secrets" . | trim }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- with $v.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          # Alive is a question to the process alone: no backend's trouble may restart a pod.
          startupProbe:
            httpGet:
              path: /healthz
              port: http
            {{- toYaml $v.startupProbe | nindent 12 }}
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            {{- toYaml $v.livenessProbe | nindent 12 }}
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            {{- toYaml $v.readinessProbe | nindent 12 }}
          # Endpoints and proxies forget the pod during this time; the process drains what it holds afterwards.
          lifecycle:
            {{- if not $v.lifecycle.preStop }}
            preStop:
              sleep:
                seconds: {{ $v.shutdown.preStopSeconds }}
            {{- end }}
            {{- with $v.lifecycle }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          resources:
            {{- toYaml $v.resources | nindent 12 }}
          securityContext:
            {{- include "service.securityContext" (list $v.seccompProfile $v.securityContext) | nindent 12 }}
          volumeMounts:
            {{- include "service.volumeMounts" . | nindent 12 }}
            {{- with include "service.serverVolumeMounts" . | trim }}
            {{- . | nindent 12 }}
            {{- end }}
        {{- with $v.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{- define "service.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "service.metadata" (dict "context" .) | nindent 2 }}
spec:
  {{- with .Values.disruptionBudget }}
  {{- if ne (toString .minAvailable) "" }}
  minAvailable: {{ .minAvailable }}
  {{- else }}
  maxUnavailable: {{ .maxUnavailable }}
  {{- end }}
  unhealthyPodEvictionPolicy: {{ .unhealthyPodEvictionPolicy }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: server
{{- end -}}
