import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { chartsDir } from '../write-schemas'
import { type Manifest, ofKind, podsOf, readManifests } from './manifest'
import { podRules } from './pod-rules'
import { setRules } from './set-rules'

const rules = [...podRules, ...setRules]
const exampleOf = async (name: string) => readManifests(await Bun.file(join(chartsDir, 'filmgate/examples', name, 'rendered.yaml')).text())

test.each(['default', 'production', 'single-node'])('the render of the example %s passes every rule', async name => {
  const manifests = await exampleOf(name)
  expect(podsOf(manifests).length).toBeGreaterThan(10)
  expect(rules.flatMap(rule => rule.check(manifests).map(fault => `${rule.name}: ${fault}`))).toEqual([])
})

const gateway = (manifests: Manifest[]) => {
  const pod = podsOf(manifests).find(({ owner }) => owner === 'Deployment/filmgate-gateway')
  const [container] = pod?.spec.containers ?? []
  if (!pod || !container) throw new Error('the example has no gateway')
  return { pod: pod.spec, labels: pod.labels, container }
}
const first = (manifests: Manifest[], kind: string) => {
  const found = ofKind(manifests, kind)[0]
  if (!found) throw new Error(`the example has no ${kind}`)
  return found
}

/** A violation of each rule, and its message. */
const breaks: Record<string, { of?: string; break(manifests: Manifest[]): void; message: string }> = {
  'every container has requests and limits of CPU, memory and disk': {
    break: all => delete gateway(all).container.resources?.limits?.memory,
    message: 'Deployment/filmgate-gateway: gateway has no limit of memory',
  },
  'amounts are written as the API server keeps them': {
    break: all => Object.assign(gateway(all).container.resources?.limits ?? {}, { memory: '1024Mi', cpu: '2000m' }),
    message: 'Deployment/filmgate-gateway: gateway has a limit of memory of 1024Mi, which is kept as 1Gi',
  },
  'every image has a version': {
    break: all => Object.assign(gateway(all).container, { image: 'registry.example:5000/filmgate/gateway' }),
    message: 'Deployment/filmgate-gateway: gateway is of registry.example:5000/filmgate/gateway',
  },
  'every image with a tag is always pulled': {
    break: all => Object.assign(gateway(all).container, { imagePullPolicy: 'IfNotPresent' }),
    message: 'Deployment/filmgate-gateway: gateway is pulled IfNotPresent',
  },
  'no process is root, and its ids don’t exist on the node': {
    break: all => Object.assign(gateway(all).container.securityContext ?? {}, { runAsUser: 1000 }),
    message: 'Deployment/filmgate-gateway: gateway runs as 1000:65532',
  },
  'no container may gain privileges, and each drops all capabilities': {
    break: all => Object.assign(gateway(all).container.securityContext ?? {}, { capabilities: { drop: ['ALL'], add: ['NET_RAW'] } }),
    message: 'Deployment/filmgate-gateway: gateway keeps capabilities',
  },
  'every root filesystem is read-only': {
    break: all => delete gateway(all).container.securityContext?.readOnlyRootFilesystem,
    message: 'Deployment/filmgate-gateway: gateway may write its root',
  },
  'no pod shares namespaces or paths of the node': {
    break: all => Object.assign(gateway(all).pod, { hostNetwork: true }),
    message: 'Deployment/filmgate-gateway: is in a namespace of the node',
  },
  'no pod has a token of the API server': {
    break: all => delete gateway(all).pod.automountServiceAccountToken,
    message: 'Deployment/filmgate-gateway: has a token',
  },
  'no variable of a container is set twice': {
    break: all => Object.assign(gateway(all).container, { env: [{ name: 'POD_NAME' }, { name: 'POD_NAME' }] }),
    message: 'Deployment/filmgate-gateway: gateway is given POD_NAME twice',
  },
  'a server has different readiness and liveness probes': {
    break: all => Object.assign(gateway(all).container, { livenessProbe: gateway(all).container.readinessProbe }),
    message: 'Deployment/filmgate-gateway: gateway has the same probe twice',
  },
  'every pod has an ingress and an egress policy': {
    break: all => Object.assign(gateway(all).labels, { 'app.kubernetes.io/component': 'servers' }),
    message: 'Deployment/filmgate-gateway: no policy for Ingress',
  },
  'every policy, disruption budget and service selects a pod': {
    break: all => Object.assign(first(all, 'PodDisruptionBudget').spec, { selector: { matchLabels: { app: 'other' } } }),
    message: 'PodDisruptionBudget/filmgate-catalog: selects no pod',
  },
  'a service’s port is open in its pods': {
    break: all => Object.assign(first(all, 'Service').spec, { ports: [{ port: 80, targetPort: 'https' }] }),
    message: 'Service/filmgate-catalog: nobody listens on https',
  },
  'no service is a NodePort': {
    break: all => Object.assign(first(all, 'Service').spec, { type: 'NodePort' }),
    message: 'Service/filmgate-catalog: is a NodePort',
  },
  'every ingress leads to an existing service': {
    of: 'single-node',
    break: all => Object.assign(first(all, 'Ingress').spec, { rules: [{ http: { paths: [{ backend: { service: { name: 'gone' } } }] } }] }),
    message: 'there is no service gone',
  },
  'every deployment has a disruption budget and anti-affinity': {
    break: all => delete gateway(all).pod.affinity?.podAntiAffinity,
    message: 'Deployment/filmgate-gateway: may run on one node',
  },
  'an autoscaler’s target exists and sets no replicas': {
    break: all =>
      Object.assign(ofKind(all, 'Deployment').find(one => one.metadata.name === 'filmgate-gateway')?.spec ?? {}, { replicas: 3 }),
    message: 'Deployment/filmgate-gateway: sets 3 replicas',
  },
  'an autoscaler keeps at least two replicas': {
    break: all => Object.assign(first(all, 'HorizontalPodAutoscaler').spec, { minReplicas: 1 }),
    message: 'HorizontalPodAutoscaler/filmgate-console: scales down to 1',
  },
  'Jobs and CronJobs have deadlines': {
    break: all => delete first(all, 'CronJob').spec.startingDeadlineSeconds,
    message: 'CronJob/filmgate-gateway-retention: may begin at any time',
  },
  'every label is valid': {
    break: all => Object.assign(first(all, 'Service').metadata.labels ?? {}, { note: 'two words' }),
    message: 'Service/filmgate-catalog: note is two words',
  },
}

test.each(rules)('a violation is reported: $name', async ({ name, check }) => {
  const broken = breaks[name]
  if (!broken) throw new Error('no test breaks this rule')
  const manifests = await exampleOf(broken.of ?? 'production')
  broken.break(manifests)
  expect(check(manifests).join('\n')).toContain(broken.message)
})
