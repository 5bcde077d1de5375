import { type Cluster, readyPods, waitForGone, waitForReady } from '../../cluster'
import { apiHost, consoleToken, namespace, release } from '../../install'
import type { Installation } from '../../installation'
import { firstTryFailuresMax } from '../../load/gate'
import type { Figures, Proof } from '../../report'
import { eventually } from '../../shell'
import { consoleVisitor, type Page, signUp, type Visitor } from './visitor'

const port = 4106
const everyMs = 100
const healTimeoutMs = 60_000

/** What people open: under its own host, replaced, scaled and killed while somebody who is signed in looks at pages. */
export const consoleProof: Proof<Installation> = {
  name: 'console under its own host, rolled, scaled and killed',
  short: true,
  async prove(installation) {
    const { cluster } = installation
    const visitor = consoleVisitor(installation)
    await onlyPagesArePublished(installation, visitor)
    const account = await signUp(installation, visitor)
    // The gateway is told of a new account beside the sign-up.
    await eventually('the overview of a new account', 60_000, async () => (await visitor.get(account)).status === 200)
    const pages = ['/sign-in', account]
    const rolled = await lookingAt(visitor, pages, () => roll(cluster))
    const scaled = await lookingAt(visitor, pages, async () => {
      await scaleTo(cluster, 3)
      await everyReplicaKnows(cluster, visitor, account)
    })
    const killed = await lookingAt(visitor, pages, () => killOne(cluster))
    const lowered = await lookingAt(visitor, pages, () => scaleTo(cluster, 1))
    const failed = fewPagesFailed([rolled, scaled, lowered])
    const all = [rolled, scaled, killed, lowered]
    return {
      pages: all.reduce((sum, { count }) => sum + count, 0),
      failed,
      healed_after_kill: killed.faults.length,
      ...Object.fromEntries(Object.entries({ rolled, scaled, killed, lowered }).map(([what, { seconds }]) => [`${what}_s`, seconds])),
      p99_ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
    } satisfies Figures
  },
}

/** Its pages under its host, and of the rest nothing: neither its metrics there, nor the gateway's API for it under the API's. */
async function onlyPagesArePublished({ target }: Installation, visitor: Visitor): Promise<void> {
  const shown = await eventually('the sign-up page', 60_000, async () => {
    const page = await visitor.get('/sign-up')
    return page.status === 200 && page
  })
  if (!shown.text.includes('action="/sign-up"')) throw new Error(`the sign-up page has no form: ${shown.text.slice(0, 300)}`)
  for (const path of ['/metrics', '/readyz', '/healthz']) {
    const { status } = await visitor.get(path)
    if (status !== 404) throw new Error(`${path} is published: ${status}`)
  }
  const internal = await fetch(`${target.url}/console/models`, { headers: { host: apiHost, authorization: `Bearer ${consoleToken}` } })
  if (internal.status !== 404) throw new Error(`the gateway's API for the console is published: ${internal.status}`)
}

/** Of the pages that were opened as many may fail as of requests; each came when it was opened again. */
function fewPagesFailed(looks: Looked[]): number {
  const count = looks.reduce((sum, look) => sum + look.count, 0)
  const faults = looks.flatMap(look => look.faults)
  if (faults.length > firstTryFailuresMax(count))
    throw new Error(`${faults.length} of ${count} pages failed: ${faults.slice(0, 5).join('; ')}`)
  return faults.length
}

type Looked = { count: number; faults: string[]; seconds: number; p99Ms: number }

/** Opens pages at a constant rate while something is done; a page that fails is opened again, and must come then. */
async function lookingAt(visitor: Visitor, paths: string[], something: () => Promise<void>): Promise<Looked> {
  const faults: string[] = []
  const latenciesMs: number[] = []
  const open = new Set<Promise<void>>()
  const faultOf = (path: string) =>
    visitor.get(path).then(
      ({ status, location }: Page) => (status === 200 || (path === '/sign-in' && location === '/') ? undefined : `${path}: ${status}`),
      (error: Error) => `${path}: ${error.message}`,
    )
  async function look(path: string): Promise<void> {
    const startedAt = performance.now()
    const fault = await faultOf(path)
    if (fault === undefined) return void latenciesMs.push(performance.now() - startedAt)
    faults.push(fault)
    await eventually(`${path} once more`, healTimeoutMs, async () => {
      const again = await faultOf(path)
      if (again !== undefined) throw new Error(again)
      return true
    })
  }
  let count = 0
  const timer = setInterval(() => {
    const work: Promise<void> = look(paths[count++ % paths.length] ?? '/').finally(() => open.delete(work))
    open.add(work)
  }, everyMs)
  const startedAt = performance.now()
  try {
    await something()
  } finally {
    clearInterval(timer)
  }
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
  await Promise.all(open)
  latenciesMs.sort((a, b) => a - b)
  return { count, faults, seconds, p99Ms: Math.round(latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? 0) }
}

async function roll(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-console`])
  await cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-console`, '--timeout=300s'])
  await waitForGone(cluster, 'console', 1)
}

async function scaleTo(cluster: Cluster, replicas: number): Promise<void> {
  await cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-console`, `--replicas=${replicas}`])
  await waitForReady(cluster, 'console', replicas)
  await waitForGone(cluster, 'console', replicas)
}

/** Asked one by one, each knows whoever has signed in at another. */
async function everyReplicaKnows(cluster: Cluster, visitor: Visitor, account: string): Promise<void> {
  for (const pod of await readyPods(cluster, 'console')) {
    const { status, location } = await visitor.get(account, `http://${pod.ip}:${port}`)
    if (status !== 200) throw new Error(`${pod.name} doesn't know the session: ${status} ${location}`)
  }
}

async function killOne(cluster: Cluster): Promise<void> {
  const [victim] = await readyPods(cluster, 'console')
  await cluster.kubectl(['-n', namespace, 'delete', 'pod', victim?.name ?? '', '--grace-period=0', '--force'])
  await eventually('three ready pods without the one that was killed', 120_000, async () => {
    const pods = await readyPods(cluster, 'console')
    return pods.length === 3 && pods.every(({ name }) => name !== victim?.name)
  })
}
