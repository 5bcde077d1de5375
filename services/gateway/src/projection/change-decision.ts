import { ChangeKind, ChangeRefusal } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { ChangeDecision } from '../credit-changes/credit-change-repository'
import type { PipelineEvent } from './pipeline-event'

const refusals: Record<number, string> = {
  [ChangeRefusal.INSUFFICIENT_CREDITS]: 'insufficient_credits',
  [ChangeRefusal.OTHER_TERMS]: 'other_terms',
}

/** The ledger's decision on a grant or a debit, where the event is one. */
export function decisionOf(event: PipelineEvent, at: Date): ChangeDecision | undefined {
  if (event.case !== 'creditsChangeDecided') return undefined
  const { changeId, accountId, kind, balance, credits, applied, refusal, available, starter, owed, reason } = event.value
  return {
    id: changeId,
    accountId,
    kind: kind === ChangeKind.DEBIT ? 'debit' : 'grant',
    balance: balance === Balance.STARTER ? 'starter' : 'paid',
    credits: Number(credits),
    reason,
    refusal: applied ? null : (refusals[refusal] ?? 'declined'),
    available: Number(available),
    starter: Number(starter),
    owed: Number(owed),
    at,
  }
}
