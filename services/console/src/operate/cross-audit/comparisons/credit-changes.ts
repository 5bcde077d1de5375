import { ChangeFact } from '@filmgate/proto/operator/facts'
import type { Services } from '../../services/services'
import { type Comparison, type Difference, isSettled, type Period } from './comparison'
import { listFacts } from './list-facts'

/** A change is decided within this time of being asked for, so a list from then on has all that the other one has. */
const decisionMsMax = 86_400_000

/** The gateway's grants and debits and the ledger's. */
export const creditChanges = (services: Services): Comparison<ChangeFact, ChangeFact> => ({
  left: listFacts(services, 'gateway', { path: 'credit-changes', fact: ChangeFact }),
  right: listFacts(services, 'ledger', { path: 'credit-changes', fact: ChangeFact }),
  idOf: ({ id }) => id,
  rangeOf: ({ since }) => ({ since: new Date(since.getTime() - decisionMsMax) }),
  differences: compareChange,
})

export function compareChange({ left: asked, right: booked }: { left?: ChangeFact; right?: ChangeFact }, period: Period): Difference[] {
  const one = asked ?? booked
  const isInPeriod = [asked, booked].some(fact => fact && new Date(fact.created_at) >= period.since)
  if (!one || !isInPeriod || ![asked, booked].every(fact => !fact || isSettled(fact.changed_at, period))) return []
  const { id: subject, account_id } = one
  if (!asked) {
    const detail = `the ledger has ${changeText(one)}, the gateway has none of this id`
    return [{ check: 'change_unknown', subject, detail, act: `ops account show ${account_id}: the gateway lost it; a person decides` }]
  }
  // The gateway knows of a refusal without a row of the ledger, and one for other terms is a finding of the ledger's own audit.
  if (asked.state === 'declined' && (!booked || booked.state === 'declined' || termsOf(asked) !== termsOf(booked))) return []
  if (!booked) {
    const detail = `the gateway has ${changeText(asked)}, the ledger has none of this id`
    const again = `ask for it again with this id: ops account ${asked.kind} ${account_id} --id ${subject} …`
    const act = asked.state === 'pending' ? again : 'the ledger lost it: see the runbook'
    return [{ check: 'change_missing', subject, detail, act }]
  }
  if (asked.state === booked.state && termsOf(asked) === termsOf(booked)) return []
  const detail = `the gateway has ${changeText(asked)}, the ledger ${changeText(booked)}`
  return [{ check: 'change_differs', subject, detail, act: `ops account show ${account_id}: a person decides` }]
}

const termsOf = ({ account_id, kind, balance, credits }: ChangeFact): string => JSON.stringify([account_id, kind, balance, credits])

const changeText = ({ account_id, kind, balance, credits, state }: ChangeFact): string =>
  `a ${kind} of ${credits} ${balance} credits of ${account_id}, ${state}`
