/** A finding that stays, of one object or of several (`<example>: <object>`), and why. One that no example has any more is a fault. */
export type Accepted = { judge: 'checkov' | 'kube-score'; check: string; objects: RegExp; reason: string }

export const accepted: Accepted[] = [
  {
    judge: 'checkov',
    check: 'CKV_K8S_21',
    objects: /./,
    reason: 'The manifests name no namespace: helm puts them into the one that -n names, and the pages install into `filmgate`.',
  },
  {
    judge: 'checkov',
    check: 'CKV_K8S_43',
    objects: /./,
    reason:
      'Images are named by the version of the chart. A digest is a value of yours (image.digest of each service), which examples can’t know.',
  },
  {
    judge: 'checkov',
    check: 'CKV_K8S_35',
    objects: /./,
    reason:
      'Addresses of databases and keys that are read once at start are variables; a restart reads a new one. What follows a change while pods run is a file: Kafka, providers, operators (docs/decisions/0808).',
  },
  {
    judge: 'checkov',
    check: 'CKV_K8S_8',
    objects: / Pod.*-acceptance$/,
    reason: 'The pod of `helm test` runs once to its end, within activeDeadlineSeconds.',
  },
  { judge: 'checkov', check: 'CKV_K8S_9', objects: / Pod.*-acceptance$/, reason: 'Nothing is sent to the pod of `helm test`.' },
  {
    judge: 'kube-score',
    check: 'deployment-replicas',
    objects: /^(aws|gcp|azure|production): .*-(dispatcher|media-probe)$/,
    reason: 'KEDA owns their number, at least 2 (minReplicaCount), so the Deployment names none.',
  },
  {
    judge: 'kube-score',
    check: 'deployment-replicas',
    objects: /^single-node: /,
    reason: 'One node, to look at: a second replica would be lost with the first.',
  },
]
