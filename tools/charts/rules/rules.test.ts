import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { chartsDir } from '../write-schemas'
import { type Manifest, ofKind, podsOf, readManifests } from './manifest'
import { podRules } from './pod-rules'
import { setRules } from './set-rules'

const rules = [...podRules, ...setRules]
const exampleOf = async (name: string) => readManifests(await Bun.file(join(chartsDir, 'filmgate/examples', name, 'rendered.yaml')).text())

test.each(['default', 'production', 'gateway-api', 'single-node'])(
  'what the charts render for the example %s keeps every rule',
  async name => {
    const manifests = await exampleOf(name)
    expect(podsOf(manifests).length).toBeGreaterThan(10)
    expect(rules.flatMap(rule => rule.check(manifests).map(fault => `${rule.name}: ${fault}`))).toEqual([])
  },
)

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

/** One value broken, and what the rule that it breaks says of it. */
const breaks: Record<string, { break(manifests: Manifest[]): void; says: string }> = {
  'every container asks for processor, memory and disk, and is bounded in each': {
    break: all => delete gateway(all).container.resources?.limits?.memory,
    says: 'Deployment/filmgate-gateway: gateway has no limit of memory',
  },
  'every image is named with a version': {
    break: all => Object.assign(gateway(all).container, { image: 'registry.example:5000/filmgate/gateway' }),
    says: 'Deployment/filmgate-gateway: gateway is of registry.example:5000/filmgate/gateway',
  },
  'every image that is named by a tag is pulled anew': {
    break: all => Object.assign(gateway(all).container, { imagePullPolicy: 'IfNotPresent' }),
    says: 'Deployment/filmgate-gateway: gateway is pulled IfNotPresent',
  },
  'no process is root, and its ids are no one’s on the node': {
    break: all => Object.assign(gateway(all).container.securityContext ?? {}, { runAsUser: 1000 }),
    says: 'Deployment/filmgate-gateway: gateway runs as 1000:65532',
  },
  'no container may gain rights, and each drops those it was given': {
    break: all => Object.assign(gateway(all).container.securityContext ?? {}, { capabilities: { drop: ['ALL'], add: ['NET_RAW'] } }),
    says: 'Deployment/filmgate-gateway: gateway keeps capabilities',
  },
  'every root filesystem is read-only': {
    break: all => delete gateway(all).container.securityContext?.readOnlyRootFilesystem,
    says: 'Deployment/filmgate-gateway: gateway may write its root',
  },
  'no pod shares what is the node’s': {
    break: all => Object.assign(gateway(all).pod, { hostNetwork: true }),
    says: 'Deployment/filmgate-gateway: is in a namespace of the node',
  },
  'no pod carries a token of the API server': {
    break: all => delete gateway(all).pod.automountServiceAccountToken,
    says: 'Deployment/filmgate-gateway: carries a token',
  },
  'no variable of a container is given twice': {
    break: all => Object.assign(gateway(all).container, { env: [{ name: 'POD_NAME' }, { name: 'POD_NAME' }] }),
    says: 'Deployment/filmgate-gateway: gateway is given POD_NAME twice',
  },
  'a server says when it is ready and when it is dead, by different questions': {
    break: all => Object.assign(gateway(all).container, { livenessProbe: gateway(all).container.readinessProbe }),
    says: 'Deployment/filmgate-gateway: gateway asks the same twice',
  },
  'every pod is under a policy for what comes and one for what goes': {
    break: all => Object.assign(gateway(all).labels, { 'app.kubernetes.io/component': 'servers' }),
    says: 'Deployment/filmgate-gateway: no policy for Ingress',
  },
  'every policy, budget and service finds a pod': {
    break: all => Object.assign(first(all, 'PodDisruptionBudget').spec, { selector: { matchLabels: { app: 'other' } } }),
    says: 'PodDisruptionBudget/filmgate-catalog: finds no pod',
  },
  'a service’s port is one of its pods’': {
    break: all => Object.assign(first(all, 'Service').spec, { ports: [{ port: 80, targetPort: 'https' }] }),
    says: 'Service/filmgate-catalog: nobody listens on https',
  },
  'no service opens a port of the nodes': {
    break: all => Object.assign(first(all, 'Service').spec, { type: 'NodePort' }),
    says: 'Service/filmgate-catalog: is a NodePort',
  },
  'every ingress leads to a service that is there': {
    break: all => Object.assign(first(all, 'Ingress').spec, { rules: [{ http: { paths: [{ backend: { service: { name: 'gone' } } }] } }] }),
    says: 'there is no service gone',
  },
  'every deployment’s pods leave one by one, and stand apart': {
    break: all => delete gateway(all).pod.affinity?.podAntiAffinity,
    says: 'Deployment/filmgate-gateway: may stand on one node',
  },
  'what an autoscaler scales is there, and says no number itself': {
    break: all =>
      Object.assign(ofKind(all, 'Deployment').find(one => one.metadata.name === 'filmgate-gateway')?.spec ?? {}, { replicas: 3 }),
    says: 'Deployment/filmgate-gateway: says 3 replicas',
  },
  'an autoscaler keeps two at least': {
    break: all => Object.assign(first(all, 'HorizontalPodAutoscaler').spec, { minReplicas: 1 }),
    says: 'HorizontalPodAutoscaler/filmgate-console: falls to 1',
  },
  'what runs by the clock or once ends, and says when it is too late to begin': {
    break: all => delete first(all, 'CronJob').spec.startingDeadlineSeconds,
    says: 'CronJob/filmgate-gateway-retention: may begin at any time',
  },
  'every label is one': {
    break: all => Object.assign(first(all, 'Service').metadata.labels ?? {}, { note: 'two words' }),
    says: 'Service/filmgate-catalog: note is two words',
  },
}

test.each(rules)('a render that breaks it is refused: $name', async ({ name, check }) => {
  const broken = breaks[name]
  if (!broken) throw new Error('no test breaks this rule')
  const manifests = await exampleOf('production')
  broken.break(manifests)
  expect(check(manifests).join('\n')).toContain(broken.says)
})
