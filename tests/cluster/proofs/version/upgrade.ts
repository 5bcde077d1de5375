import { revisionOf, rollback, upgrade, values } from '../../install'
import { auditIsClean, type Installation, makeLoadInstant, underLoad } from '../../installation'
import { judgeRoutine } from '../../load/gate'
import type { Proof } from '../../report'

/** Installed was the former commit: its charts and images become the present ones under load, and are taken back. */
export const upgradeProof: Proof<Installation> = {
  name: 'upgrade from the former commit, and back',
  short: false,
  async prove(installation) {
    const { cluster, tag, former } = installation
    if (!former) throw new Error('only with --from')
    const before = await revisionOf(cluster)
    const base = values(tag)
    // Another simulator would know nothing of the videos that it makes: it stays the one that is there.
    const next = { ...base, simulator: { ...base.simulator, image: { tag: former.tag } } }
    const { load, figures } = await underLoad(installation, 12, async () => {
      const upgraded = await upgrade(cluster, next)
      return { upgrade_s: Number(upgraded.toFixed(1)), rollback_s: Number((await rollback(cluster, before)).toFixed(1)) }
    })
    const failures = judgeRoutine(load)
    await auditIsClean(installation)
    await upgrade(cluster, base)
    await makeLoadInstant(installation)
    return { ...figures, ...failures }
  },
}
