import { waitForGone, waitForReady } from '../cluster'
import { namespace, release } from '../install'
import { auditIsClean, type Installation, underLoad } from '../installation'
import { judgeRoutine } from '../load/gate'
import type { Proof } from '../report'

export const services = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'webhooks'] as const
const requestsPerSecond = 12

/** One roll of the gateway and of the dispatcher under load: what CI sees of it. */
export const shortRollProof: Proof<Installation> = {
  name: 'roll under load',
  short: true,
  prove: installation => roll(installation, ['gateway', 'dispatcher']),
}

/** Each service replaced pod by pod, as an upgrade does it. */
export const rollProof: Proof<Installation> = {
  name: 'rolling upgrade of every service',
  short: false,
  prove: installation => roll(installation, services),
}

async function roll(installation: Installation, names: readonly string[]) {
  const { load, figures } = await underLoad(installation, requestsPerSecond, async () => {
    const took: Record<string, number> = {}
    for (const name of names) {
      const startedAt = performance.now()
      await installation.cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-${name}`])
      await installation.cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-${name}`, '--timeout=420s'])
      await waitForGone(installation.cluster, name, 1)
      took[`${name}_s`] = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    }
    return took
  })
  const failures = judgeRoutine(load)
  await auditIsClean(installation)
  return { ...figures, ...failures }
}

/** One replica, three, one again: each time the whole installation serves on. */
export const scaleProof: Proof<Installation> = {
  name: 'kubectl scale 1 → 3 → 1',
  short: false,
  async prove(installation) {
    const { load, figures } = await underLoad(installation, requestsPerSecond, async () => {
      for (const name of services)
        for (const replicas of [3, 1]) {
          await installation.cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-${name}`, `--replicas=${replicas}`])
          await waitForReady(installation.cluster, name, replicas, 420_000)
          await waitForGone(installation.cluster, name, replicas)
        }
      return undefined
    })
    const failures = judgeRoutine(load)
    await auditIsClean(installation)
    return { ...figures, ...failures }
  },
}
