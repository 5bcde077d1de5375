import { anyObjectSchema, boolean, integer, list, map, object, oneOf, type Schema, text } from './schema-types'

/** The values that all services have, as charts/service/values.yaml has them; Kubernetes checks what its own types hold. */
const anyOf = (...keys: string[]): Schema => object(Object.fromEntries(keys.map(key => [key, {}])))
const anyList = list(anyObjectSchema)
const count = integer(0)
const numberOrShare: Schema = { type: ['integer', 'string'], pattern: '^([0-9]+%)?$' }

/** Where pods run and what they are called; global has them too. */
export const placement: Record<string, Schema> = {
  podLabels: map(text),
  podAnnotations: map(text),
  nodeSelector: map(text),
  tolerations: list(anyOf('key', 'operator', 'value', 'effect', 'tolerationSeconds')),
  affinity: object({ nodeAffinity: anyObjectSchema, podAffinity: anyObjectSchema, podAntiAffinity: anyObjectSchema }),
  priorityClassName: text,
  runtimeClassName: text,
  schedulerName: text,
  dnsPolicy: oneOf('', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
  dnsConfig: object({ nameservers: list(text), searches: list(text), options: list(anyOf('name', 'value')) }),
  hostAliases: list(object({ ip: text, hostnames: list(text) }, ['ip', 'hostnames'])),
  extraEnv: list(object({ name: text, value: text, valueFrom: anyObjectSchema }, ['name'])),
  extraEnvFrom: list(object({ prefix: text, configMapRef: anyObjectSchema, secretRef: anyObjectSchema })),
}

/** Of objects and of the server, in global too. */
export const commonValues: Record<string, Schema> = {
  commonLabels: map(text),
  commonAnnotations: map(text),
  topologySpreadConstraints: list({
    ...anyOf(
      'maxSkew',
      'topologyKey',
      'whenUnsatisfiable',
      'labelSelector',
      'matchLabelKeys',
      'minDomains',
      'nodeAffinityPolicy',
      'nodeTaintsPolicy',
    ),
    required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
  }),
}

const idsAndProfiles = ['runAsNonRoot', 'runAsUser', 'runAsGroup', 'seccompProfile', 'appArmorProfile', 'seLinuxOptions', 'windowsOptions']

/** Of every pod: the server's, its Jobs', the topics' Job and the test's. */
export const podValues: Record<string, Schema> = {
  ...placement,
  podSecurityContext: anyOf(
    ...idsAndProfiles,
    'fsGroup',
    'fsGroupChangePolicy',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'seLinuxChangePolicy',
    'sysctls',
  ),
  securityContext: anyOf(
    ...idsAndProfiles,
    'allowPrivilegeEscalation',
    'readOnlyRootFilesystem',
    'privileged',
    'capabilities',
    'procMount',
  ),
  initContainers: anyList,
  extraVolumes: anyList,
  extraVolumeMounts: anyList,
  serviceAccount: object({ create: boolean, name: text, annotations: map(text), automountToken: boolean }),
}

const probe = object({
  initialDelaySeconds: count,
  periodSeconds: integer(1),
  timeoutSeconds: integer(1),
  failureThreshold: integer(1),
  successThreshold: integer(1),
  terminationGracePeriodSeconds: integer(1),
})
const ipFamilies = list(oneOf('IPv4', 'IPv6'))

/** Of a service beside that. Its network policy and its monitor depend on the service. */
export const serverValues: Record<string, Schema> = {
  ...commonValues,
  deploymentLabels: map(text),
  deploymentAnnotations: map(text),
  rollout: object({
    maxSurge: numberOrShare,
    minReadySeconds: count,
    progressDeadlineSeconds: integer(1),
    revisionHistoryLimit: count,
  }),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  lifecycle: object({ postStart: anyObjectSchema, preStop: anyObjectSchema }),
  extraContainers: anyList,
  extraObjects: list({ type: ['object', 'string'] }),
  service: object({
    type: oneOf('ClusterIP', 'NodePort'),
    annotations: map(text),
    labels: map(text),
    internalTrafficPolicy: oneOf('', 'Cluster', 'Local'),
    externalTrafficPolicy: oneOf('', 'Cluster', 'Local'),
    trafficDistribution: text,
    ipFamilyPolicy: oneOf('', 'SingleStack', 'PreferDualStack', 'RequireDualStack'),
    ipFamilies,
    // What the library chart of this name is given: its exports, and global.
    exports: anyObjectSchema,
    global: anyObjectSchema,
  }),
  disruptionBudget: object({
    enabled: boolean,
    maxUnavailable: numberOrShare,
    minAvailable: numberOrShare,
    unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
  }),
}

/** Parts of an autoscaler's behaviour, as Kubernetes has them. */
export const autoscalerBehavior = object({ scaleUp: anyObjectSchema, scaleDown: anyObjectSchema })
/** Rules of network policies, as Kubernetes has them. */
export const extraPolicyRules = {
  extraIngress: list(anyOf('from', 'ports')),
  extraEgress: list(anyOf('to', 'ports')),
}
