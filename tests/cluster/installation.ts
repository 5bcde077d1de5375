import { type Cluster, forward } from './cluster'
import type { Former } from './former'
import { apiHost, namespace, operatorToken, release } from './install'
import type { KafkaLogin } from './kafka-login'
import type { LoadResult } from './load/gate'
import { openAccounts, operatorOf, startLoad, type Target } from './load/load'
import type { Figures } from './report'
import { eventually } from './shell'

/** The installed product, as the proofs see it. */
export type Installation = {
  cluster: Cluster
  target: Target
  tag: string
  ingressAddress: string
  go: string
  kafka?: KafkaLogin
  /** What is installed first, where the upgrade from it is proven. */
  former?: Former
}

export const targetOf = (address: string): Target => ({ url: `http://${address}`, host: apiHost })

const statementOfBooks = { name: 'audit', timeoutMs: 120_000 }

/** API keys of new accounts with a million credits each. */
export async function loadKeys(installation: Installation, count: number): Promise<string[]> {
  const gateway = await forward(installation.cluster, `service/${release}-gateway`, 80)
  try {
    return await openAccounts(operatorOf(gateway.url, operatorToken), installation.target, count)
  } finally {
    gateway.close()
  }
}

/** Puts the installation under load of these keys, does something to it, and tells what clients and the books saw. */
export async function underLoad(
  installation: Installation,
  requestsPerSecond: number,
  something: () => Promise<Figures | undefined>,
  givenKeys?: string[],
): Promise<{ load: LoadResult; figures: Figures }> {
  const keys = givenKeys ?? (await loadKeys(installation, 4))
  const load = startLoad(installation.target, keys, requestsPerSecond)
  const figures = await something().finally(() => Bun.sleep(1000))
  const result = await load.stop()
  const ended = await allEnded(installation, keys, result)
  return {
    load: result,
    figures: {
      ...figures,
      ...ended,
      requests: result.requests,
      generations: result.tasks.length,
      p50_ms: result.p50Ms,
      p99_ms: result.p99Ms,
    },
  }
}

type Task = { status: string; billing_status: string; credits_used: number; credits_refunded: number }

/** Every task that was taken ends, charged once for a video or refunded; what is charged is what the balance lacks. */
async function allEnded(installation: Installation, keys: string[], result: LoadResult): Promise<Figures> {
  const read = async <T>(key: string, path: string) => {
    const response = await fetch(`${installation.target.url}/api/v1${path}`, {
      headers: { host: installation.target.host, authorization: `Bearer ${key}` },
    })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return (await response.json()) as T
  }
  const ended: Record<string, number> = {}
  await eventually(
    'every task ended',
    360_000,
    async () => {
      for (const state of Object.keys(ended)) delete ended[state]
      for (const key of keys) {
        let net = 0
        let cursor = ''
        do {
          const page = await read<{ data: Task[]; next_cursor: string | null }>(key, `/tasks?limit=100${cursor && `&cursor=${cursor}`}`)
          for (const task of page.data) {
            const state = `${task.status}/${task.billing_status}`
            ended[state] = (ended[state] ?? 0) + 1
            net += task.credits_used - task.credits_refunded
          }
          cursor = page.next_cursor ?? ''
        } while (cursor)
        const { available_credits } = await read<{ available_credits: number }>(key, '/credits')
        if (available_credits !== 1_000_000 - net) throw new Error(`the balance is ${available_credits}, the tasks say ${1_000_000 - net}`)
      }
      const unfinished = Object.keys(ended).filter(state => !['completed/settled', 'failed/refunded'].includes(state))
      if (unfinished.length > 0) throw new Error(JSON.stringify(ended))
      return true
    },
    3000,
  )
  const count = Object.values(ended).reduce((sum, one) => sum + one, 0)
  if (count < result.tasks.length) throw new Error(`${result.tasks.length} tasks were taken and ${count} are listed`)
  return Object.fromEntries(Object.entries(ended).map(([state, tasks]) => [`tasks ${state}`, tasks]))
}

/** The auditor's CronJob, run now: it fails where it finds anything. */
export async function auditIsClean({ cluster }: Installation): Promise<void> {
  const name = `${statementOfBooks.name}-${Date.now()}`
  await cluster.kubectl(['-n', namespace, 'create', 'job', name, `--from=cronjob/${release}-ledger-audit`])
  await eventually('the audit', statementOfBooks.timeoutMs, async () => {
    const { status } = await cluster.get<{ status: { succeeded?: number; failed?: number } }>(['job', name, '-n', namespace])
    if (status.failed) throw new Error(await cluster.kubectl(['-n', namespace, 'logs', `job/${name}`]))
    return status.succeeded === 1
  })
}

/** The simulator answers load at once: a ready-made second instead of a render. */
export async function makeLoadInstant({ cluster }: Installation): Promise<void> {
  const simulator = await forward(cluster, `service/${release}-simulator`, 80)
  try {
    const response = await fetch(`${simulator.url}/admin/behaviours`, {
      method: 'POST',
      headers: { authorization: 'Bearer cluster-test-simulator-key', 'content-type': 'application/json' },
      body: JSON.stringify({ match: { prompt_includes: 'load' }, behaviours: [{ name: 'instant' }] }),
    })
    if (response.status !== 201) throw new Error(`the simulator refused: ${response.status} ${await response.text()}`)
  } finally {
    simulator.close()
  }
}
