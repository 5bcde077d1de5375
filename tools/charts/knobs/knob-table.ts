/**
 * Where a value shows: in every pod, its metadata or its first container; in those of the server; in objects of a kind; in the metadata of all.
 * `policies` are all network policies, `server policy` that of the server.
 */
export type Place =
  | 'pods'
  | 'pod metadata'
  | 'containers'
  | 'server'
  | 'server container'
  | 'all'
  | 'policies'
  | 'server policy'
  | 'ConfigMap'
  | 'Deployment'
  | 'Service'
  | 'ServiceAccount'
  | 'PodDisruptionBudget'
  | 'ServiceMonitor'
  | 'HorizontalPodAutoscaler'
  | 'ScaledObject'
  | 'Ingress'
  | 'HTTPRoute'

/** A value of a values file: its path there, where it shows, the path there, and its form there if that is another. */
export type Knob = { value: string; place: Place; at: string; form?: (value: unknown) => unknown }

const knob = (value: string, place: Place, at: string, form?: Knob['form']): Knob => ({ value, place, at, ...(form && { form }) })
/** Values that show under their own names. */
const named = (prefix: string, place: Place, at: string, ...names: string[]) =>
  names.map(name => knob(`${prefix}${name}`, place, `${at}${name}`))

/** tools/charts/knobs/pods.yaml. */
export const podKnobs: Knob[] = [
  knob('podLabels', 'pod metadata', 'labels'),
  knob('podAnnotations', 'pod metadata', 'annotations'),
  ...named('', 'pods', '', 'nodeSelector', 'tolerations', 'affinity', 'priorityClassName', 'runtimeClassName', 'schedulerName'),
  ...named('', 'pods', '', 'dnsPolicy', 'dnsConfig', 'hostAliases', 'initContainers'),
  knob('podSecurityContext', 'pods', 'securityContext'),
  knob('securityContext', 'containers', 'securityContext'),
  knob('extraVolumes', 'pods', 'volumes'),
  knob('extraVolumeMounts', 'containers', 'volumeMounts'),
  knob('extraEnv', 'containers', 'env'),
  knob('extraEnvFrom', 'containers', 'envFrom'),
  knob('serviceAccount.annotations', 'ServiceAccount', 'metadata.annotations'),
  knob('serviceAccount.automountToken', 'pods', 'automountServiceAccountToken'),
]

/** The egress rule of {port, to}. */
const openedTo = (protocol: string) => (given: unknown) => {
  const { port, to } = given as { port: number; to: object[] }
  return [{ to, ports: [{ protocol, port }] }]
}

/** tools/charts/knobs/server.yaml. */
export const serverKnobs: Knob[] = [
  knob('rollout.maxSurge', 'Deployment', 'spec.strategy.rollingUpdate.maxSurge'),
  ...named('rollout.', 'Deployment', 'spec.', 'minReadySeconds', 'progressDeadlineSeconds', 'revisionHistoryLimit'),
  knob('commonLabels', 'all', 'labels'),
  knob('commonLabels', 'pod metadata', 'labels'),
  knob('commonAnnotations', 'all', 'annotations'),
  knob('commonAnnotations', 'pod metadata', 'annotations'),
  knob('deploymentLabels', 'Deployment', 'metadata.labels'),
  knob('deploymentAnnotations', 'Deployment', 'metadata.annotations'),
  ...named('', 'server container', '', 'startupProbe', 'livenessProbe', 'readinessProbe', 'lifecycle'),
  knob('topologySpreadConstraints', 'server', 'topologySpreadConstraints'),
  knob('extraContainers', 'server', 'containers'),
  ...named('service.', 'Service', 'metadata.', 'annotations', 'labels'),
  ...named('service.', 'Service', 'spec.', 'type', 'internalTrafficPolicy', 'externalTrafficPolicy', 'trafficDistribution'),
  ...named('service.', 'Service', 'spec.', 'ipFamilyPolicy', 'ipFamilies'),
  ...named('disruptionBudget.', 'PodDisruptionBudget', 'spec.', 'minAvailable', 'unhealthyPodEvictionPolicy'),
  knob('networkPolicy.dns', 'policies', 'spec.egress', openedTo('UDP')),
  knob('networkPolicy.extraEgress', 'policies', 'spec.egress'),
  knob('networkPolicy.telemetry', 'policies', 'spec.egress', openedTo('TCP')),
  knob('networkPolicy.extraIngress', 'server policy', 'spec.ingress'),
  knob('networkPolicy.metricsFrom', 'server policy', 'spec.ingress', from => [{ from }]),
  knob('telemetry.otlpEndpoint', 'ConfigMap', 'data.OTEL_EXPORTER_OTLP_ENDPOINT'),
  ...named('serviceMonitor.', 'ServiceMonitor', 'metadata.', 'labels', 'annotations'),
  ...named('serviceMonitor.', 'ServiceMonitor', 'spec.endpoints.0.', 'interval', 'scrapeTimeout', 'relabelings', 'metricRelabelings'),
]

/** tools/charts/knobs/published.yaml. */
export const publishedKnobs: Knob[] = [
  ...named('horizontalAutoscaler.', 'HorizontalPodAutoscaler', 'spec.', 'minReplicas', 'maxReplicas', 'behavior', 'metrics'),
  knob('horizontalAutoscaler.cpuPercent', 'HorizontalPodAutoscaler', 'spec.metrics.0.resource.target.averageUtilization'),
  ...named('ingress.', 'Ingress', 'metadata.', 'labels', 'annotations'),
  knob('ingress.className', 'Ingress', 'spec.ingressClassName'),
  knob('ingress.tlsSecret', 'Ingress', 'spec.tls', secretName => [{ secretName }]),
  knob('ingress.extraTls', 'Ingress', 'spec.tls'),
  knob('ingress.extraRules', 'Ingress', 'spec.rules'),
  ...named('httpRoute.', 'HTTPRoute', 'metadata.', 'labels', 'annotations'),
  knob('httpRoute.parentRefs', 'HTTPRoute', 'spec.parentRefs'),
  knob('httpRoute.readTimeoutSeconds', 'HTTPRoute', 'spec.rules.0.timeouts.request', seconds => `${seconds}s`),
  knob('httpRoute.filters', 'HTTPRoute', 'spec.rules.0.filters'),
  knob('httpRoute.extraRules', 'HTTPRoute', 'spec.rules'),
  knob('networkPolicy.ingressFrom', 'server policy', 'spec.ingress', from => [{ from }]),
]

/** tools/charts/knobs/backlog.yaml. */
export const backlogKnobs: Knob[] = [
  knob('keda.minReplicas', 'ScaledObject', 'spec.minReplicaCount'),
  knob('keda.maxReplicas', 'ScaledObject', 'spec.maxReplicaCount'),
  knob('keda.behavior', 'ScaledObject', 'spec.advanced.horizontalPodAutoscalerConfig.behavior'),
]
