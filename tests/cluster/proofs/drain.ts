import { auditIsClean, type Installation, underLoad } from '../installation'
import { judgeRoutine } from '../load/gate'
import type { Proof } from '../report'
import { scaleAll, spreadOverTwoNodes } from '../two-nodes'

/** Two nodes; one is drained under load: its pods leave one by one, as their disruption budgets say, and nobody notices. */
export const drainProof: Proof<Installation> = {
  name: 'a drained node',
  short: false,
  async prove(installation) {
    const { cluster } = installation
    const moved = await spreadOverTwoNodes(installation)
    const { load, figures } = await underLoad(installation, 12, async () => {
      const startedAt = performance.now()
      await cluster.kubectl(['drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=420s'])
      return { pods_moved: moved, drain_s: Number(((performance.now() - startedAt) / 1000).toFixed(1)) }
    })
    const failures = judgeRoutine(load)
    await auditIsClean(installation)
    await scaleAll(installation, 1)
    return { ...figures, ...failures }
  },
}
