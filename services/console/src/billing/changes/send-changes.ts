import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Gateway } from '../../gateway/gateway'
import type { Purchase } from '../purchases/purchase'
import { findPurchase, lockPurchase, updatePurchase } from '../purchases/purchase-repository'
import { nextState } from '../purchases/purchase-states'
import { findNextChange, type PaymentChange, updateChange } from './change-repository'

export type SendDeps = { sql: Sql; gateway: Gateway; log: Log }

const firstRetryMs = 500
const retryMsMax = 15_000
/**
 * While the gateway is unreachable a worker pauses and keeps its job, so that jobs don't back off further and further.
 */
const unreachableMs = 1_000
/** A refused change is retried in case an operator has fixed the cause. */
const refusedRetryMs = 600_000

const decided = counter('payment_changes', 'Grants and debits of payments that the ledger has decided', {
  kind: ['grant', 'debit'],
  result: ['applied', 'refused'],
})

/** Sends the changes of a purchase to the ledger through the gateway, in order. Retries each until it is decided. */
export async function sendChanges(deps: SendDeps, job: Job, signal: AbortSignal): Promise<void> {
  const { sql } = deps
  const purchase = await findPurchase(sql, job.id)
  for (;;) {
    const change = purchase && (await findNextChange(sql, purchase.id))
    if (!change) {
      if (await endJob(sql, job)) return
      continue
    }
    const answer = await askLedger(deps, purchase, change)
    if (answer.state === 'applied') {
      await markApplied(sql, purchase, change, answer.owed)
      decided.add(1, { kind: change.kind, result: 'applied' })
      continue
    }
    if (answer.state === 'refused') await markRefused(deps, change, answer.refusal)
    if (answer.state === 'unreachable') await pause(unreachableMs, signal)
    await rescheduleHeldJobs(sql, [{ job, runAfterMs: retryAfterMs(answer.state, job), resetTries: answer.state === 'unreachable' }])
    return
  }
}

/** Takes the purchase's lock, which every writer of changes holds, so that no change is left without a job. */
const endJob = (sql: Sql, job: Job): Promise<boolean> =>
  sql.begin(async sql => {
    await lockPurchase(sql, job.id)
    if (await findNextChange(sql, job.id)) return false
    await deleteHeldJobs(sql, [job])
    return true
  })

type Undecided = 'pending' | 'unreachable'
type Decision = { state: 'applied'; owed?: number } | { state: Undecided } | { state: 'refused'; refusal: string }
type ChangeAnswer = { state?: string; refusal?: string | null; owed?: number }

/** 5xx and timeouts are no answer. 202 is no decision, and neither is 404 while the account is being opened. */
async function askLedger({ gateway, log }: SendDeps, purchase: Purchase, change: PaymentChange): Promise<Decision> {
  const { id, kind, credits, reason } = change
  try {
    const answer = await gateway.request<ChangeAnswer>(
      { id: purchase.personId, email: 'Stripe' },
      {
        method: 'PUT',
        path: `/accounts/${purchase.accountId}/${kind}s/${encodeURIComponent(id)}`,
        body: { credits, balance: 'paid', reason, ...(kind === 'debit' && { beyond_balance: true }) },
      },
    )
    if (answer.ok && answer.value.state === 'declined') return { state: 'refused', refusal: answer.value.refusal ?? 'declined' }
    if (answer.ok && answer.status === 200) return { state: 'applied', ...(answer.value.owed !== undefined && { owed: answer.value.owed }) }
    if (!answer.ok && (answer.status === 409 || answer.status === 400)) return { state: 'refused', refusal: answer.code }
    if (!answer.ok) log.warn({ change: id, status: answer.status, code: answer.code }, 'payment change not decided yet, retrying')
    if (!answer.ok && answer.status >= 500) return { state: 'unreachable' }
    return { state: 'pending' }
  } catch (error) {
    log.warn({ err: error, change: id }, 'payment change not sent: gateway unavailable, retrying')
    return { state: 'unreachable' }
  }
}

function retryAfterMs(state: Undecided | 'refused', { tries }: Job): number {
  if (state === 'unreachable') return 0
  return state === 'refused' ? refusedRetryMs : backoffMs(tries, firstRetryMs, retryMsMax)
}

/** The first change of a purchase is the grant of its payment. */
const markApplied = (sql: Sql, { id }: Purchase, change: PaymentChange, owed?: number) =>
  sql.begin(async sql => {
    const purchase = await lockPurchase(sql, id)
    await updateChange(sql, change.id, { state: 'applied', ...(owed !== undefined && { owed }) })
    if (purchase && change.number === 1) await updatePurchase(sql, id, { state: nextState(purchase.state, 'granted') })
  })

async function markRefused({ sql, log }: SendDeps, change: PaymentChange, refusal: string): Promise<void> {
  log.error({ change: change.id, purchase: change.purchaseId, refusal }, 'payment change refused by the ledger: see the runbook')
  if (change.state !== 'refused') decided.add(1, { kind: change.kind, result: 'refused' })
  await updateChange(sql, change.id, { state: 'refused', refusal })
}
