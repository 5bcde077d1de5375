import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { kitCacheDir } from '@filmgate/tools/images/bases'
import { eventually, mustRun, run } from './shell'

export const backends = 'filmgate-backends'
export const namespace = 'filmgate'

export const root = resolve(import.meta.dir, '../..')
const kit = join(import.meta.dir, 'node')

export type Cluster = {
  /** Whether this run started it, and may therefore look inside its node. */
  own: boolean
  kubectl(args: string[], input?: string): Promise<string>
  /** `kubectl get … -o json` */
  get<T = unknown>(args: string[]): Promise<T>
  helm(args: string[], timeoutMs?: number): Promise<string>
  /** The kit's own commands: load, node2, ingress, keda, … */
  kit(args: string[]): Promise<string>
  /** A command inside the node's namespaces of network and mounts. */
  inNode(command: string[]): Promise<string>
  stop(): Promise<void>
}

const binaries = join(kitCacheDir, 'bin')
export const stateDir = process.env.FILMGATE_CLUSTER_DIR ?? join(kitCacheDir, 'run')

/** The cluster of a named context, which is used as it is; or one of our own, started from nothing (or kept from before) and wiped at the end. */
export async function openCluster(context: string | undefined, reuse: boolean): Promise<Cluster> {
  return context ? connect(context) : start(reuse)
}

async function start(reuse: boolean): Promise<Cluster> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('A cluster of our own needs Linux and root: name one with --context instead.')
  const env = { W: stateDir, BIN: binaries }
  const script = (args: string[]) => mustRun([join(kit, 'cluster.sh'), ...args], { env, timeoutMs: 3_600_000 })
  if (!reuse) {
    await script(['wipe'])
    await script(['up'])
  }
  const config = { KUBECONFIG: join(stateDir, 'pki/admin.conf') }
  return {
    ...clientOf(config, []),
    own: true,
    kit: script,
    inNode: command => mustRun(['nsenter', '-t', readFileSync(join(stateDir, 'node.pid'), 'utf8').trim(), '-m', '-n', '-p', ...command]),
    stop: async () => void (await script(['wipe'])),
  }
}

function connect(context: string): Cluster {
  const notOurs = async (): Promise<never> => {
    throw new Error('Only a cluster of our own can be looked into.')
  }
  return { ...clientOf({}, ['--context', context]), own: false, kit: notOurs, inNode: notOurs, stop: async () => undefined }
}

function clientOf(env: Record<string, string>, context: string[]): Pick<Cluster, 'kubectl' | 'get' | 'helm'> {
  const tool = (name: string) => (existsSync(join(binaries, name)) ? join(binaries, name) : name)
  const kubectl = (args: string[], input?: string) => mustRun([tool('kubectl'), ...context, ...args], { env, input })
  const helmContext = context.length ? ['--kube-context', context[1] ?? ''] : []
  return {
    kubectl,
    get: async args => JSON.parse(await kubectl(['get', ...args, '-o', 'json'])),
    helm: (args, timeoutMs = 900_000) => mustRun([tool('helm'), ...helmContext, ...args], { env, timeoutMs }),
  }
}

/** What the API server says that it is. */
export async function versionOf({ kubectl }: Cluster): Promise<string> {
  return JSON.parse(await kubectl(['version', '-o', 'json'])).serverVersion.gitVersion
}

type Pods = { items: { metadata: { name: string; deletionTimestamp?: string }; status: PodStatus; spec: { nodeName: string } }[] }
type PodStatus = { phase: string; podIP?: string; conditions?: { type: string; status: string }[] }

const selectorOf = (service: string) => `app.kubernetes.io/name=${service},app.kubernetes.io/component=server`

/** Names and addresses of a service's pods that are ready and not leaving. */
export async function readyPods(
  cluster: Cluster,
  service: string,
  namespace = 'filmgate',
): Promise<{ name: string; ip: string; node: string }[]> {
  const { items } = await cluster.get<Pods>(['pods', '-n', namespace, '-l', selectorOf(service)])
  return items
    .filter(pod => !pod.metadata.deletionTimestamp && pod.status.conditions?.some(one => one.type === 'Ready' && one.status === 'True'))
    .map(pod => ({ name: pod.metadata.name, ip: pod.status.podIP ?? '', node: pod.spec.nodeName }))
}

export const waitForReady = (cluster: Cluster, service: string, count: number, timeoutMs = 120_000) =>
  eventually(`${count} ready pods of ${service}`, timeoutMs, async () => {
    const pods = await readyPods(cluster, service)
    return pods.length === count && pods
  })

/** Pods that were replaced or are too many have ended what they held, and are gone. */
export const waitForGone = (cluster: Cluster, service: string, count: number) =>
  eventually(`${count} pods of ${service} and none that leaves`, 360_000, async () => {
    const { items } = await cluster.get<Pods>(['pods', '-n', 'filmgate', '-l', selectorOf(service)])
    return items.length === count
  })

/** A port of this machine that leads to a service inside, until `close`. */
export async function forward(
  cluster: Cluster,
  target: string,
  port: number,
  namespace = 'filmgate',
): Promise<{ url: string; close(): void }> {
  const env = cluster.own ? { KUBECONFIG: join(stateDir, 'pki/admin.conf') } : {}
  const tool = existsSync(join(binaries, 'kubectl')) ? join(binaries, 'kubectl') : 'kubectl'
  const child = Bun.spawn([tool, '-n', namespace, 'port-forward', target, `:${port}`, '--address', '127.0.0.1'], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const reader = child.stdout.getReader()
  let words = ''
  while (!/Forwarding from 127\.0\.0\.1:(\d+)/.test(words)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`port-forward to ${target} ended: ${words}`)
    words += new TextDecoder().decode(value)
  }
  void (async () => {
    while (!(await reader.read()).done);
  })()
  return { url: `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(words)?.[1]}`, close: () => child.kill() }
}

export { run }
