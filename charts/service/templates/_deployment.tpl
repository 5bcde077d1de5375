{{/*
The number of replicas is left out wherever an autoscaler owns it: a chart that writes it would pull it back at every upgrade,
and one that starts to leave it out later would fall to a single replica until the autoscaler acts.
*/}}
{{- define "service.deployment" -}}
{{- $v := .Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "service.fullname" . }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
spec:
  {{- if and (not (include "service.isAutoscaled" .)) (not (kindIs "invalid" $v.replicas)) }}
  replicas: {{ $v.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
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
        {{- include "service.labels" . | nindent 8 }}
        app.kubernetes.io/component: server
        {{- with $v.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include "service.settings" . | sha256sum }}
        {{- with include "service.mountedConfigMaps" . | trim }}
        checksum/mounts: {{ . | sha256sum }}
        {{- end }}
        {{- with $v.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "service.fullname" . }}
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
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            {{- with include "service.secrets" . | trim }}
            {{- . | nindent 12 }}
            {{- end }}
          # Alive is a question to the process alone: no backend's trouble may restart a pod.
          startupProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 1
            timeoutSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          # Endpoints and proxies forget the pod during this time; the process drains what it holds afterwards.
          lifecycle:
            preStop:
              sleep:
                seconds: {{ $v.shutdown.preStopSeconds }}
          resources:
            {{- toYaml $v.resources | nindent 12 }}
          securityContext:
            {{- include "service.containerSecurity" . | nindent 12 }}
          volumeMounts:
            {{- include "service.volumeMounts" . | nindent 12 }}
            {{- with include "service.serverVolumeMounts" . | trim }}
            {{- . | nindent 12 }}
            {{- end }}
{{- end -}}

{{- define "service.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "service.fullname" . }}
  labels:
    {{- include "service.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .Values.disruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "service.selectorLabels" . | nindent 6 }}
      app.kubernetes.io/component: server
{{- end -}}
