import { readyPods, waitForReady } from '../cluster'
import { namespace, release, upgrade, values } from '../install'
import { auditIsClean, type Line, nothingFailed, underLoad } from '../line'
import type { Proof } from '../report'

const spread = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'catalog']

/** Two nodes; one is drained under load: its pods leave one by one, as their disruption budgets say, and nobody notices. */
export const drainProof: Proof<Line> = {
  name: 'a drained node',
  short: false,
  async prove(line) {
    const { cluster } = line
    await cluster.kit(['node2'])
    const base = values(line.tag)
    const two = (values: object) => ({ ...values, replicas: 2 })
    await upgrade(cluster, { ...base, ...Object.fromEntries(spread.map(name => [name, two(base[name as keyof typeof base])])) })
    // Pods that were there before stay where they are: start over, so that they spread.
    for (const name of spread) await cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-${name}`])
    for (const name of spread)
      await cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-${name}`, '--timeout=420s'])
    for (const name of spread) await waitForReady(cluster, name, 2, 420_000)
    const moved = (await Promise.all(spread.map(name => readyPods(cluster, name)))).flat().filter(pod => pod.node === 'node2').length
    if (moved === 0) throw new Error('no pod is on the second node')
    const { load, figures } = await underLoad(line, 12, async () => {
      const startedAt = performance.now()
      await cluster.kubectl(['drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=420s'])
      return { pods_moved: moved, drain_s: Number(((performance.now() - startedAt) / 1000).toFixed(1)) }
    })
    nothingFailed(load)
    await auditIsClean(line)
    await upgrade(cluster, base)
    return figures
  },
}
