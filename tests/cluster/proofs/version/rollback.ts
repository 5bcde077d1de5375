import { join } from 'node:path'
import { deriveImage } from '@filmgate/tools/images/derive'
import { revisionOf, rollback, upgrade, values } from '../../install'
import { auditIsClean, type Installation, underLoad } from '../../installation'
import { judgeRoutine } from '../../load/gate'
import type { Proof } from '../../report'

const migrated = ['gateway', 'ledger'] as const

/** A version with a migration more is installed and taken back: the older code runs on the newer tables. */
export const rollbackProof: Proof<Installation> = {
  name: 'upgrade and rollback across a migration',
  short: false,
  async prove(installation) {
    const { cluster, tag } = installation
    const newer = `${tag}-migrated`
    for (const name of migrated) {
      const migration = join(import.meta.dir, `../../fixtures/9999_${name}.sql`)
      await cluster.kit([
        'load',
        await deriveImage(`filmgate/${name}:${tag}`, `filmgate/${name}:${newer}`, { '/app/migrations/9999_cluster_test.sql': migration }),
      ])
    }
    const before = await revisionOf(cluster)
    const base = values(tag)
    const next = { ...base, gateway: { ...base.gateway, image: { tag: newer } }, ledger: { ...base.ledger, image: { tag: newer } } }
    const { load, figures } = await underLoad(installation, 12, async () => {
      const upgraded = await upgrade(cluster, next)
      return { upgrade_s: Number(upgraded.toFixed(1)), rollback_s: Number((await rollback(cluster, before)).toFixed(1)) }
    })
    const failures = judgeRoutine(load)
    await auditIsClean(installation)
    return { ...figures, ...failures }
  },
}
