import { readyPods, waitForReady } from '../../cluster'
import { auditIsClean, type Installation, underLoad } from '../../installation'
import { judgeDisaster } from '../../load/gate'
import type { Proof } from '../../report'
import { eventually } from '../../shell'
import { scaleAll, spread, spreadOverTwoNodes } from '../../two-nodes'

/** Two nodes; one falls silent under load, as if its power went: what it did is done by the other, and nothing is lost or paid twice. */
export const loseProof: Proof<Installation> = {
  name: 'a lost node',
  short: false,
  async prove(installation) {
    const { cluster } = installation
    // What a load balancer does about a lost ingress controller is not the product's: its own node is not the one that is lost.
    const stay = { spec: { template: { spec: { nodeSelector: { 'kubernetes.io/hostname': 'node1' } } } } }
    await cluster.kubectl(['-n', 'projectcontour', 'patch', 'daemonset', 'envoy', '-p', JSON.stringify(stay)])
    await cluster.kubectl(['-n', 'projectcontour', 'rollout', 'status', 'daemonset/envoy', '--timeout=420s'])
    const lost = await spreadOverTwoNodes(installation)
    const { load, figures } = await underLoad(installation, 12, async () => {
      const startedAt = performance.now()
      const seconds = () => Number(((performance.now() - startedAt) / 1000).toFixed(0))
      await cluster.kit(['lose', '2'])
      // The control plane notices by itself …
      for (const name of spread)
        await eventually(`no pod of ${name} on the lost node`, 180_000, async () =>
          (await readyPods(cluster, name)).every(pod => pod.node !== 'node2'),
        )
      const noticed = seconds()
      // … and whoever runs the machines takes the node out, as a cloud's controller does.
      await cluster.kubectl(['delete', 'node', 'node2'])
      for (const name of spread) await waitForReady(cluster, name, 2, 180_000)
      return { pods_lost: lost, noticed_s: noticed, replaced_s: seconds() }
    })
    const failures = judgeDisaster(load)
    await auditIsClean(installation)
    await scaleAll(installation, 1)
    return { ...figures, ...failures }
  },
}
