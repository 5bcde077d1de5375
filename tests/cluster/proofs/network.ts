import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, readyPods, stateDir } from '../cluster'
import { backends, helmTest, namespace, release } from '../install'
import type { Installation } from '../installation'
import type { Proof } from '../report'
import { eventually } from '../shell'

type Address = { host: string; port: number }
const connectTimeoutMs = 2_500
const neededMsMax = 60_000
const services = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'console', 'simulator', 'webhooks'] as const
type Service = (typeof services)[number]

/** Who needs whom. Everything that is not here must fail. */
const needed: Record<Service | 'stranger', string[]> = {
  gateway: ['postgres', 'kafka', 'redis', 'webhooks'],
  ledger: ['postgres', 'kafka'],
  catalog: ['kafka'],
  'media-probe': ['postgres', 'kafka', 'object-store', 'world'],
  dispatcher: ['postgres', 'kafka', 'object-store', 'world', 'simulator'],
  // Neither mail nor another's sign-in is set, which would open the world.
  console: ['postgres', 'object-store', 'gateway'],
  simulator: ['object-store'],
  webhooks: ['postgres', 'kafka', 'world'],
  // A pod of another namespace: the gateway is for the ingress controller alone.
  stranger: ['world', 'world in clear', 'metadata', 'kubelet', 'api server'],
}

/** With the policies enforced, each pod tries everything: what it needs works and nothing else does. */
export const networkProof: Proof<Installation> = {
  name: 'network policies by trying',
  short: false,
  async prove({ cluster, target }) {
    await cluster.kit(['world'])
    await startStranger(cluster)
    const addresses = await everything(cluster)
    await everythingAnswers(cluster, addresses)
    await cluster.kit(['policies'])
    const faults: string[] = []
    const tried = { allowed: 0, refused: 0 }
    for (const from of [...services, 'stranger'] as const) {
      const opened = await tryNeeded(cluster, from, addresses, needed[from])
      for (const to of Object.keys(addresses)) {
        if (to === from) continue
        const wanted = needed[from].includes(to)
        if (opened.includes(to) !== wanted) faults.push(`${from} → ${to} ${wanted ? 'fails and is needed' : 'works and is forbidden'}`)
        tried[wanted ? 'allowed' : 'refused']++
      }
    }
    if (faults.length > 0) throw new Error(faults.join('; '))
    // Under enforcement the product still does its work, through the ingress controller, which is let in.
    await eventually(
      'the gateway through the ingress',
      60_000,
      async () => (await fetch(`${target.url}/api/v1/credits`, { headers: { host: target.host } })).status === 401,
    )
    await helmTest(cluster)
    await cluster.kubectl(['-n', 'default', 'delete', 'pod', 'stranger', '--grace-period=0', '--force'])
    return { ...tried, helm_test_under_policies: true }
  },
}

async function everything(cluster: Cluster): Promise<Record<string, Address>> {
  const addressOf = async (space: string, name: string, port: number): Promise<Address> => {
    const { spec } = await cluster.get<{ spec: { clusterIP: string } }>(['service', name, '-n', space])
    return { host: spec.clusterIP === 'None' ? `${name}.${space}.svc.cluster.local` : spec.clusterIP, port }
  }
  const own = await Promise.all(services.map(async name => [name, await addressOf(namespace, `${release}-${name}`, 80)] as const))
  const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(['node', 'node1'])
  const node = status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? ''
  return {
    ...Object.fromEntries(own),
    postgres: await addressOf(backends, 'filmgate-postgres-rw', 5432),
    kafka: await addressOf(backends, 'filmgate-kafka-bootstrap', 9092),
    redis: await addressOf(backends, 'filmgate-redis', 6379),
    'object-store': await addressOf(backends, 'object-store', 9000),
    'api server': { host: '10.96.0.1', port: 443 },
    kubelet: { host: node, port: 10250 },
    metadata: { host: '169.254.169.254', port: 80 },
    world: { host: '203.0.113.10', port: 443 },
    'world in clear': { host: '203.0.113.10', port: 80 },
  }
}

/** Before anything is enforced a stranger reaches all of it: what fails afterwards is refused and not absent. */
async function everythingAnswers(cluster: Cluster, addresses: Record<string, Address>): Promise<void> {
  if (existsSync(join(stateDir, 'netpol-node1.pid'))) return
  const opened = await tryNeeded(cluster, 'stranger', addresses, Object.keys(addresses))
  const silent = Object.keys(addresses).filter(name => !opened.includes(name))
  if (silent.length > 0) throw new Error(`without policies ${silent.join(', ')} should answer`)
}

/**
 * The names of what a pod could open a connection to. Everything is tried anew until all that it needs has opened in one try: then the machine
 * has not been too slow, and what is refused is. What opened in any try counts.
 */
async function tryNeeded(
  cluster: Cluster,
  from: Service | 'stranger',
  addresses: Record<string, Address>,
  wanted: string[],
): Promise<string[]> {
  const everOpened = new Set<string>()
  for (const endsAt = performance.now() + neededMsMax; ; ) {
    const opened = await tryAll(cluster, from, addresses)
    for (const name of opened) everOpened.add(name)
    if (wanted.every(name => opened.includes(name)) || performance.now() > endsAt) return [...everOpened]
  }
}

/** The names of what a pod opens a connection to at one try. */
async function tryAll(cluster: Cluster, from: Service | 'stranger', addresses: Record<string, Address>): Promise<string[]> {
  const script = `
    const open = async ([name, { host, port }]) => {
      const socket = await Promise.race([
        Bun.connect({ hostname: host, port, socket: { data() {}, error() {}, connectError() {} } }).catch(() => undefined),
        Bun.sleep(${connectTimeoutMs}),
      ])
      socket?.end()
      return socket ? [name] : []
    }
    console.log(JSON.stringify((await Promise.all(Object.entries(${JSON.stringify(addresses)}).map(open))).flat()))
    process.exit(0)`
  const [space, pod] = from === 'stranger' ? ['default', 'stranger'] : [namespace, (await readyPods(cluster, from))[0]?.name ?? '']
  return JSON.parse(await cluster.kubectl(['-n', space, 'exec', pod, '--', '/usr/local/bin/bun', '-e', script]))
}

async function startStranger(cluster: Cluster): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stranger', namespace: 'default' },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'stranger',
          image: 'oven/bun:1.4.5-distroless',
          imagePullPolicy: 'IfNotPresent',
          args: ['-e', 'setInterval(() => {}, 1e9)'],
        },
      ],
    },
  }
  await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(pod))
  await cluster.kubectl(['-n', 'default', 'wait', '--for=condition=Ready', 'pod/stranger', '--timeout=180s'])
}
