import { readyPods, waitForReady } from '../../cluster'
import { namespace, release } from '../../install'
import { auditIsClean, type Installation, underLoad } from '../../installation'
import { judgeDisaster } from '../../load/gate'
import type { Proof } from '../../report'

const killed = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'catalog', 'webhooks']
const doubled = ['gateway', 'ledger', 'dispatcher']
const kills = 10
const everyMs = 10_000

/** Processes that end without a word, one after the other. */
export const killProof: Proof<Installation> = {
  name: 'a pod killed with grace 0 every 10 s',
  short: false,
  async prove(installation) {
    const { cluster } = installation
    for (const name of doubled) {
      await cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-${name}`, '--replicas=2'])
      await waitForReady(cluster, name, 2)
    }
    const { load, figures } = await underLoad(installation, 12, async () => {
      for (let turn = 0; turn < kills; turn++) {
        const [victim] = await readyPods(cluster, killed[turn % killed.length] ?? '')
        if (victim) await cluster.kubectl(['-n', namespace, 'delete', 'pod', victim.name, '--grace-period=0', '--force'])
        await Bun.sleep(everyMs)
      }
      return { kills }
    })
    const failures = judgeDisaster(load)
    await auditIsClean(installation)
    for (const name of doubled) await cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-${name}`, '--replicas=1'])
    for (const name of killed) await waitForReady(cluster, name, 1, 420_000)
    return { ...figures, ...failures }
  },
}
