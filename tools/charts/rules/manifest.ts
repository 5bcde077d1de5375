/** The parts of Kubernetes objects that the rules read. */
export type Labels = Record<string, string>
export type Amounts = Record<string, string | undefined>
export type SecurityContext = {
  runAsNonRoot?: boolean
  runAsUser?: number
  runAsGroup?: number
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  readOnlyRootFilesystem?: boolean
  capabilities?: { drop?: string[]; add?: string[] }
  seccompProfile?: { type: string }
}
export type Container = {
  name: string
  image: string
  imagePullPolicy?: string
  env?: { name: string }[]
  ports?: { name?: string; containerPort: number }[]
  resources?: { requests?: Amounts; limits?: Amounts }
  securityContext?: SecurityContext
  readinessProbe?: unknown
  livenessProbe?: unknown
}
export type PodSpec = {
  automountServiceAccountToken?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  restartPolicy?: string
  securityContext?: SecurityContext
  affinity?: { podAntiAffinity?: Record<string, unknown[]> }
  volumes?: { name: string; hostPath?: unknown }[]
  initContainers?: Container[]
  containers: Container[]
}
type Selector = { matchLabels?: Labels }
export type PodTemplate = { metadata?: { labels?: Labels }; spec: PodSpec }
export type Spec = {
  replicas?: number
  selector?: Labels & Selector
  podSelector?: Selector
  policyTypes?: string[]
  type?: string
  schedule?: string
  startingDeadlineSeconds?: number
  activeDeadlineSeconds?: number
  minReplicas?: number
  maxReplicas?: number
  scaleTargetRef?: { kind?: string; name: string }
  ports?: { targetPort?: string | number; port: number }[]
  rules?: { http?: { paths: { backend: { service: { name: string } } }[] } }[]
  template?: PodTemplate
  jobTemplate?: { spec: Spec }
}
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string; labels?: Labels }; spec: Spec }

/** A rule returns its violations in a whole render. */
export type Rule = { name: string; check(manifests: Manifest[]): string[] }

export const readManifests = (yaml: string): Manifest[] =>
  ([Bun.YAML.parse(yaml)].flat() as (Manifest | null)[]).filter(one => one !== null && typeof one === 'object')

export const ofKind = (manifests: Manifest[], kind: string) => manifests.filter(one => one.kind === kind)

export type NamedPod = { owner: string; kind: string; labels: Labels; spec: PodSpec }

/** All pods that the render creates. */
export function podsOf(manifests: Manifest[]): NamedPod[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const owner = `${kind}/${metadata.name}`
    if (kind === 'Pod') return [{ owner, kind, labels: metadata.labels ?? {}, spec: spec as PodSpec & Spec }]
    const template = spec?.template ?? spec?.jobTemplate?.spec.template
    return template?.spec?.containers ? [{ owner, kind, labels: template.metadata?.labels ?? {}, spec: template.spec }] : []
  })
}

/** Whether a selector matches these labels; an empty one matches everything. */
export const selects = (wanted: Labels, labels: Labels) => Object.entries(wanted).every(([key, value]) => labels[key] === value)
