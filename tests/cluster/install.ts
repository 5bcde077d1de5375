import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backends, type Cluster, namespace, root, stateDir } from './cluster'
import { brokerObjects, clientObjects, findKafkaLogin, type KafkaLogin, kafkaValues, makeKafkaLogin } from './kafka-login'
import { mediaAuthority, mediaCertificate, mediaHost, mediaHostAddress } from './media-host'
import { eventually } from './shell'

export { backends, namespace }
export const chart = join(root, 'charts/filmgate')
export const release = 'filmgate'
export const apiHost = 'api.filmgate.test'
export const outputsHost = 'outputs.filmgate.test'
export const consoleHost = 'console.filmgate.test'
export const operatorToken = 'cluster-test-operator-token'
export const consoleToken = 'cluster-test-console-token'

/** What the cluster test installs with: one of each, small, the simulator as the only provider, limits out of the way of load. */
export const values = (tag: string) => ({
  global: {
    image: { tag, pullPolicy: 'IfNotPresent' },
    kafka: { topicReplicas: 1, ...kafkaValues },
    objectStore: {
      outputsPublicRead: true,
      outputBaseUrl: `http://${outputsHost}/filmgate-outputs`,
      publicEndpoint: `http://${outputsHost}`,
    },
    console: { url: `https://${consoleHost}`, existingSecret: 'filmgate-console' },
    webhooks: { existingSecret: 'filmgate-webhooks' },
    networkPolicy: { ingressFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'projectcontour' } } }] },
  },
  gateway: {
    horizontalAutoscaler: { enabled: false },
    replicas: 1,
    ingress: { enabled: true, controller: 'contour', hosts: [apiHost] },
    config: { FILMGATE_RATE_LIMIT: 100_000, FILMGATE_ADDRESS_RATE_LIMIT: 100_000 },
    resources: { ...small, requests: { ...small.requests, cpu: '200m' } },
  },
  ledger: { replicas: 1, config: { FILMGATE_UNFINISHED_TASKS_MAX: 10_000 }, resources: small },
  catalog: { replicas: 1, resources: small },
  'media-probe': { replicas: 1, resources: small, privateCa: { existingConfigMap: mediaAuthority } },
  dispatcher: { replicas: 1, simulatorProvider: { enabled: true }, resources: small },
  simulator: { enabled: true, resources: small },
  // Without a mail server, so that what it would be handed stays to be read.
  console: {
    enabled: true,
    apiUrl: `http://${apiHost}/api/v1`,
    horizontalAutoscaler: { enabled: false },
    replicas: 1,
    ingress: { enabled: true, controller: 'contour' },
    resources: small,
  },
  webhooks: { enabled: true, replicas: 1, resources: small, privateCa: { existingConfigMap: mediaAuthority } },
  test: { url: `http://${apiHost}` },
})

/** Requests that fit many times on two cores, beside whatever else runs there; the gateway, which every client waits for, gets a share that holds when a node is crowded. */
const small = {
  requests: { cpu: '50m', memory: '96Mi', 'ephemeral-storage': '64Mi' },
  limits: { cpu: '2', memory: '3Gi', 'ephemeral-storage': '4Gi' },
}

export const toYaml = (value: unknown): string => JSON.stringify(value)

/** Namespaces, secrets, disks, then the backends of k8s/single-node-tls, until they answer. */
export async function installBackends(cluster: Cluster): Promise<KafkaLogin> {
  const login = (await findKafkaLogin(cluster)) ?? makeKafkaLogin()
  await cluster.kubectl(['apply', '-f', join(root, 'k8s/namespaces.yaml')])
  await cluster.kubectl(['apply', '-f', '-'], secretsYaml(login))
  if (cluster.own) await cluster.kubectl(['apply', '-f', '-'], volumes())
  await cluster.kubectl(['apply', '-k', join(root, 'k8s/single-node-tls')])
  for (const set of ['kafka', 'postgres', 'redis', 'object-store'])
    await cluster.kubectl(['-n', backends, 'rollout', 'status', `statefulset/${set}`, '--timeout=180s'])
  await cluster.kubectl(['-n', backends, 'wait', '--for=condition=complete', 'job/postgres-databases', '--timeout=180s'])
  return login
}

/** Disks of the node, made for the claims that ask for them: a cluster of our own has nothing that would provide them. */
function volumes(): string {
  const items = Object.entries({ kafka: 1000, postgres: 999, 'object-store': 1000 }).map(([name, owner]) => {
    const path = join(stateDir, 'volumes', name)
    mkdirSync(path, { recursive: true })
    chownSync(path, owner, owner)
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '20Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        hostPath: { path },
        claimRef: { namespace: backends, name: `data-${name}-0` },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node1'] }] }] },
        },
      },
    }
  })
  return toYaml({ apiVersion: 'v1', kind: 'List', items })
}

/** Of a service's own database, at the server's name inside or at the end of a forwarded port. */
export const databaseUrl = (owner: string, host: string): string =>
  `postgres://filmgate_${owner}:cluster-test-${owner}@${host}/filmgate_${owner}`

function secretsYaml(login: KafkaLogin): string {
  const secret = (space: string, name: string, stringData: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: space },
    stringData,
  })
  const store = { 'access-key-id': 'filmgate', 'secret-access-key': 'cluster-test-object-store' }
  const redis = 'cluster-test-redis'
  const urlOf = (owner: string) => databaseUrl(owner, `filmgate-postgres-rw.${backends}.svc:5432`)
  const owners = ['gateway', 'ledger', 'dispatcher', 'media_probe', 'console', 'webhooks']
  const items = [
    secret(backends, 'filmgate-postgres-superuser', { password: 'cluster-test-postgres' }),
    secret(
      backends,
      'filmgate-postgres-databases',
      Object.fromEntries(owners.map(owner => [`${owner.toUpperCase()}_DATABASE_URL`, urlOf(owner)])),
    ),
    secret(backends, 'filmgate-redis', { password: redis }),
    secret(backends, 'filmgate-object-store', store),
    ...owners.map(owner => secret(namespace, `filmgate-${owner.replace('_', '-')}-database`, { url: urlOf(owner) })),
    secret(namespace, 'filmgate-redis', { url: `redis://:${redis}@filmgate-redis.${backends}.svc:6379` }),
    secret(namespace, 'filmgate-object-store', store),
    secret(namespace, 'filmgate-operator', { token: operatorToken }),
    secret(namespace, 'filmgate-key-pepper', { pepper: 'cluster-test-pepper-of-32-characters' }),
    secret(namespace, 'filmgate-attempts', { secret: 'cluster-test-secret-of-the-attempts' }),
    secret(namespace, 'filmgate-console', { token: consoleToken, secret: 'cluster-test-console-secret-of-40-characters' }),
    secret(namespace, 'filmgate-webhooks', {
      token: 'cluster-test-webhooks-token',
      'secret-key': 'cluster-test-webhooks-key-of-40-characters',
    }),
    ...brokerObjects(login),
    ...clientObjects(login, [login.authority]),
    secret(namespace, 'filmgate-simulator', { key: 'cluster-test-simulator-key' }),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: mediaAuthority, namespace }, data: { 'ca.crt': mediaCertificate() } },
  ]
  return toYaml({ apiVersion: 'v1', kind: 'List', items })
}

/** The ingress controller, and the names under which clients inside and outside find it. */
export async function installIngress(cluster: Cluster): Promise<string> {
  await cluster.kit(['ingress'])
  const { spec } = await cluster.get<{ spec: { clusterIP: string } }>(['service', 'envoy', '-n', 'projectcontour'])
  const { data } = await cluster.get<{ data: { Corefile: string } }>(['configmap', 'coredns', '-n', 'kube-system'])
  const hosts = `    hosts {\n            ${spec.clusterIP} ${apiHost} ${outputsHost}\n            11.22.33.44 silent.example.net\n            ${mediaHostAddress} ${mediaHost}\n            fallthrough\n        }\n        kubernetes cluster.local`
  const Corefile = data.Corefile.includes(apiHost) ? data.Corefile : data.Corefile.replace('    kubernetes cluster.local', hosts)
  await cluster.kubectl(['-n', 'kube-system', 'patch', 'configmap', 'coredns', '-p', JSON.stringify({ data: { Corefile } })])
  await cluster.kubectl(['-n', 'kube-system', 'rollout', 'restart', 'deployment/coredns'])
  await cluster.kubectl(['-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=180s'])
  return spec.clusterIP
}

/** Installs or upgrades the release and waits for every pod. */
export async function upgrade(cluster: Cluster, given: object, from = chart, ...words: string[]): Promise<number> {
  const file = join(stateDir, 'values.json')
  await Bun.write(file, toYaml(given))
  const startedAt = performance.now()
  await cluster.helm(['upgrade', '--install', release, from, '-n', namespace, '-f', file, '--wait', '--timeout', '600s', ...words])
  return (performance.now() - startedAt) / 1000
}

/** The release's revision as it is now, to come back to. */
export async function revisionOf(cluster: Cluster): Promise<number> {
  const history = await cluster.helm(['history', release, '-n', namespace, '-o', 'json', '--max', '1'])
  return (JSON.parse(history) as { revision: number }[]).at(-1)?.revision ?? 0
}

/** Seconds until every pod is of that revision again. */
export async function rollback(cluster: Cluster, revision: number): Promise<number> {
  const startedAt = performance.now()
  await cluster.helm(['rollback', release, String(revision), '-n', namespace, '--wait', '--timeout', '600s'])
  return (performance.now() - startedAt) / 1000
}

/** A video through the ingress, from the order to its settled price; what the test said. A test that fails is told with its own words. */
export const helmTest = (cluster: Cluster): Promise<string> => cluster.helm(['test', release, '-n', namespace, '--logs'])

/** Right after `--wait` the proxies may still be a moment behind. */
export const reachable = (url: string, host: string) =>
  eventually(`${url} as ${host}`, 60_000, async () => (await fetch(`${url}/api/v1/credits`, { headers: { host } })).status === 401)
