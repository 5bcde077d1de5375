import { waitForGone, waitForReady } from '../cluster'
import { namespace, release } from '../install'
import { auditIsClean, type Line, nothingFailed, underLoad } from '../line'
import type { Proof } from '../report'

export const services = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher'] as const
const requestsPerSecond = 12

/** One roll of the gateway and of the dispatcher under load: what CI sees of it. */
export const shortRollProof: Proof<Line> = { name: 'roll under load', short: true, prove: line => roll(line, ['gateway', 'dispatcher']) }

/** Each service replaced pod by pod, as an upgrade does it. */
export const rollProof: Proof<Line> = { name: 'rolling upgrade of every service', short: false, prove: line => roll(line, services) }

async function roll(line: Line, names: readonly string[]) {
  const { load, figures } = await underLoad(line, requestsPerSecond, async () => {
    const took: Record<string, number> = {}
    for (const name of names) {
      const startedAt = performance.now()
      await line.cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-${name}`])
      await line.cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-${name}`, '--timeout=420s'])
      await waitForGone(line.cluster, name, 1)
      took[`${name}_s`] = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    }
    return took
  })
  nothingFailed(load)
  await auditIsClean(line)
  return figures
}

/** One replica, three, one again: each time the whole line serves on. */
export const scaleProof: Proof<Line> = {
  name: 'kubectl scale 1 → 3 → 1',
  short: false,
  async prove(line) {
    const { load, figures } = await underLoad(line, requestsPerSecond, async () => {
      for (const name of services)
        for (const replicas of [3, 1]) {
          await line.cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-${name}`, `--replicas=${replicas}`])
          await waitForReady(line.cluster, name, replicas, 420_000)
          await waitForGone(line.cluster, name, replicas)
        }
      return undefined
    })
    nothingFailed(load)
    await auditIsClean(line)
    return figures
  },
}
