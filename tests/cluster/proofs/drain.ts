import { auditIsClean, type Line, nothingFailed, underLoad } from '../line'
import type { Proof } from '../report'
import { scaleAll, spreadOverTwoNodes } from '../two-nodes'

/** Two nodes; one is drained under load: its pods leave one by one, as their disruption budgets say, and nobody notices. */
export const drainProof: Proof<Line> = {
  name: 'a drained node',
  short: false,
  async prove(line) {
    const { cluster } = line
    const moved = await spreadOverTwoNodes(line)
    const { load, figures } = await underLoad(line, 12, async () => {
      const startedAt = performance.now()
      await cluster.kubectl(['drain', 'node2', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=420s'])
      return { pods_moved: moved, drain_s: Number(((performance.now() - startedAt) / 1000).toFixed(1)) }
    })
    nothingFailed(load)
    await auditIsClean(line)
    await scaleAll(line, 1)
    return figures
  },
}
