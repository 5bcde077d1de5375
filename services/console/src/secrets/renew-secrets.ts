import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import type { RenewedPortion } from '@filmgate/proto/operator/secret'
import { replaceStarterMailboxes } from '../accounts/opening-repository'
import { mailboxKeys } from '../accounts/starter-rules'
import { renewSecondFactor } from './renew-second-factor'
import { listWithSecondFactor } from './second-factor-repository'

const portion = 1_000

/** Puts what the console's secret keeps of a portion of people under the first one: second factors, and mailboxes that had starter credits. */
export async function renewSecrets(deps: { sql: Sql; authSecrets: Secrets }, after: string): Promise<RenewedPortion> {
  const people = await listWithSecondFactor(deps.sql, after, portion)
  const done = { renewed: 0, left: 0 }
  for (const { sealed } of people) {
    const outcome = sealed && (await renewSecondFactor(deps, sealed))
    if (outcome === 'renewed') done.renewed += 1
    if (outcome === 'lost') done.left += 1
  }
  const pairs = people.flatMap(({ email }) => {
    const [current, ...formers] = mailboxKeys(deps.authSecrets, email)
    return formers.map(former => ({ former, current }))
  })
  const [formers, currents] = [pairs.map(({ former }) => former), pairs.map(({ current }) => current)]
  if (pairs.length > 0) await replaceStarterMailboxes(deps.sql, formers, currents)
  return { secret: 'FILMGATE_CONSOLE_SECRET', ...done, next: people.length < portion ? null : (people.at(-1)?.id ?? null) }
}
