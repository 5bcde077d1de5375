import type { Sql } from '@filmgate/kit/database/postgres'
import { pause } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { FindBalance } from '../balances/find-balance'
import type { Reason } from '../errors'
import { changeMessage, reusedMessage } from './change-message'
import { type CreditChange, type NewChange, sameTerms, wordsOf } from './credit-change'
import { findChange, insertChanges } from './credit-change-repository'

export type ChangeDeps = { findBalance: FindBalance; sql: Sql; outbox: Outbox; topicPrefix: string }

/** How long the route waits for the ledger's decision; the same request again shows it later. */
const decidedWithinMs = 5_000
const lookEveryMs = 50

/**
 * Asks the ledger for a grant or a debit, once for its id, and waits a moment for the decision; the state may still be pending then.
 * Repeated while it is, the event is sent again, in case it was lost. 409 where the id has other terms.
 */
export async function changeCredits(deps: ChangeDeps, change: NewChange): Promise<CreditChange> {
  const { sql, outbox, topicPrefix } = deps
  if (!(await deps.findBalance(change.accountId))) throw new Failure<Reason>('account_not_found')
  const event = { ...changeMessage(topicPrefix, change), subject: change.id }
  const fresh = await outbox.statement([event], (sql, insertion) => insertChanges(sql, [change], insertion))
  const known = await findChange(sql, change.id)
  if (!fresh.has(change.id) && known) await askAgain(deps, change, known)
  return waitForDecision(sql, change.id)
}

async function askAgain({ outbox, topicPrefix }: ChangeDeps, asked: NewChange, known: CreditChange): Promise<void> {
  if (!sameTerms(asked, known)) {
    await outbox.transaction(async (_, send) => send([reusedMessage(topicPrefix, asked, known)]))
    throw new Failure<Reason>('change_id_reused', { details: { id: known.id, known: wordsOf(known) } })
  }
  if (known.state === 'pending') await outbox.transaction(async (_, send) => send([changeMessage(topicPrefix, known)]))
}

/** The change once the ledger has decided it, or as it is when the wait is over. */
export async function waitForDecision(sql: Sql, id: string): Promise<CreditChange> {
  const end = performance.now() + decidedWithinMs
  for (;;) {
    const change = await findChange(sql, id)
    if (!change) throw new Failure<Reason>('internal_error', { internal: `the change ${id} is gone` })
    if (change.state !== 'pending' || performance.now() > end) return change
    await pause(lookEveryMs)
  }
}
