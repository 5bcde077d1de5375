import type { Sql } from '@filmgate/kit/database/postgres'
import type { RenewedPortion } from '@filmgate/proto/operator/secret'
import { listSealed, replaceSealed } from './sealed-repository'
import type { Vault } from './vault'

const portion = 2_000

/** Puts a portion of the sealed secrets under the first key, those after the id `after`. */
export async function renewSecrets({ sql, vault }: { sql: Sql; vault: Vault }, after: string): Promise<RenewedPortion> {
  const rows = await listSealed(sql, after, portion)
  const done = { renewed: 0, left: 0 }
  for (const { id, secret, formerSecret } of rows)
    for (const sealed of formerSecret ? [secret, formerSecret] : [secret])
      try {
        const renewed = await vault.renew(id, sealed)
        if (!renewed) continue
        await replaceSealed(sql, id, sealed, renewed)
        done.renewed += 1
      } catch (error) {
        if (!(error instanceof AggregateError)) throw error
        done.left += 1
      }
  return { secret: 'FILMGATE_WEBHOOKS_SECRET_KEY', ...done, next: rows.length < portion ? null : (rows.at(-1)?.id ?? null) }
}
