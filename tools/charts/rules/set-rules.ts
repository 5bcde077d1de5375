import { type Manifest, ofKind, podsOf, type Rule, selects } from './manifest'

const noFaults: string[] = []
const labelForm = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/

/** The pods that a selector matches. */
const selectedPods = (manifests: Manifest[], wanted: Record<string, string> = {}) =>
  podsOf(manifests).filter(({ labels }) => selects(wanted, labels))

const deploymentOf = (manifests: Manifest[], name: string | undefined) =>
  ofKind(manifests, 'Deployment').find(one => one.metadata.name === name)

/** Rules about all objects of a render together. */
export const setRules: Rule[] = [
  {
    name: 'every pod has an ingress and an egress policy',
    check: manifests =>
      podsOf(manifests).flatMap(({ owner, labels }) =>
        ['Ingress', 'Egress'].flatMap(direction => {
          const isCovered = ofKind(manifests, 'NetworkPolicy').some(
            // The policy that denies everything doesn't count.
            ({ spec }) =>
              spec.policyTypes?.includes(direction) &&
              Object.keys(spec.podSelector?.matchLabels ?? {}).length > 0 &&
              selects(spec.podSelector?.matchLabels ?? {}, labels),
          )
          return isCovered ? noFaults : [`${owner}: no policy for ${direction}`]
        }),
      ),
  },
  {
    name: 'every policy, disruption budget and service selects a pod',
    check: manifests =>
      manifests.flatMap(({ kind, metadata, spec }) => {
        const wanted = {
          NetworkPolicy: spec?.podSelector?.matchLabels,
          PodDisruptionBudget: spec?.selector?.matchLabels,
          Service: spec?.selector,
        }
        if (!(kind in wanted)) return noFaults
        return selectedPods(manifests, wanted[kind as keyof typeof wanted]).length > 0
          ? noFaults
          : [`${kind}/${metadata.name}: selects no pod`]
      }),
  },
  {
    name: 'a service’s port is open in its pods',
    check: manifests =>
      ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
        (spec.ports ?? []).flatMap(({ targetPort, port }) => {
          const open = selectedPods(manifests, spec.selector).flatMap(pod => pod.spec.containers.flatMap(({ ports = [] }) => ports))
          const target = targetPort ?? port
          return open.some(one => one.name === target || one.containerPort === target)
            ? noFaults
            : [`Service/${metadata.name}: nobody listens on ${target}`]
        }),
      ),
  },
  {
    name: 'no service is a NodePort',
    check: manifests =>
      ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
        spec.type === 'NodePort' ? [`Service/${metadata.name}: is a NodePort`] : noFaults,
      ),
  },
  {
    name: 'every ingress leads to an existing service',
    check: manifests =>
      ofKind(manifests, 'Ingress').flatMap(({ metadata, spec }) => {
        const names = (spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service.name))
        const existing = ofKind(manifests, 'Service').map(service => service.metadata.name)
        return names.filter(name => !existing.includes(name)).map(name => `Ingress/${metadata.name}: there is no service ${name}`)
      }),
  },
  {
    name: 'every deployment has a disruption budget and anti-affinity',
    check: manifests =>
      ofKind(manifests, 'Deployment').flatMap(({ metadata, spec }) => {
        const labels = spec.template?.metadata?.labels ?? {}
        const budget = ofKind(manifests, 'PodDisruptionBudget').some(one => selects(one.spec.selector?.matchLabels ?? {}, labels))
        return [
          ...(budget ? noFaults : [`Deployment/${metadata.name}: has no disruption budget`]),
          ...(spec.template?.spec.affinity?.podAntiAffinity ? noFaults : [`Deployment/${metadata.name}: may run on one node`]),
        ]
      }),
  },
  {
    name: 'an autoscaler’s target exists and sets no replicas',
    check: manifests =>
      ['HorizontalPodAutoscaler', 'ScaledObject'].flatMap(kind =>
        ofKind(manifests, kind).flatMap(({ metadata, spec }) => {
          const target = deploymentOf(manifests, spec.scaleTargetRef?.name)
          if (!target) return [`${kind}/${metadata.name}: scales nothing`]
          return target.spec.replicas === undefined
            ? noFaults
            : [`Deployment/${target.metadata.name}: sets ${target.spec.replicas} replicas`]
        }),
      ),
  },
  {
    name: 'an autoscaler keeps at least two replicas',
    check: manifests =>
      ofKind(manifests, 'HorizontalPodAutoscaler').flatMap(({ metadata, spec }) =>
        (spec.minReplicas ?? 1) >= 2 ? noFaults : [`HorizontalPodAutoscaler/${metadata.name}: scales down to ${spec.minReplicas ?? 1}`],
      ),
  },
  {
    name: 'Jobs and CronJobs have deadlines',
    check: manifests =>
      manifests.flatMap(({ kind, metadata, spec }) => {
        const job = kind === 'Job' ? spec : kind === 'CronJob' ? spec.jobTemplate?.spec : undefined
        if (!job) return noFaults
        const late = kind === 'CronJob' && !spec.startingDeadlineSeconds ? [`${kind}/${metadata.name}: may begin at any time`] : noFaults
        const ends = job.activeDeadlineSeconds && job.template?.spec.restartPolicy === 'Never'
        return [...late, ...(ends ? noFaults : [`${kind}/${metadata.name}: may never end`])]
      }),
  },
  {
    name: 'every label is valid',
    check: manifests =>
      manifests.flatMap(({ kind, metadata }) =>
        Object.entries(metadata.labels ?? {}).flatMap(([key, value]) =>
          labelForm.test(value) ? noFaults : [`${kind}/${metadata.name}: ${key} is ${value}`],
        ),
      ),
  },
]
