import { ChangeFact } from '@filmgate/proto/operator/facts'
import type { Services } from '../../services/services'
import { type Comparison, type Difference, isSettled, type ListPage, type Period, recoverAct } from './comparison'
import { listFacts } from './list-facts'

/** A change is decided within this time of being asked for, so a list from then on has all that the other one has. */
const decisionMsMax = 86_400_000

/** How the ids of the changes that payments make begin. */
const paymentPrefix = 'stripe:'

type Pair = { left?: ChangeFact | undefined; right?: ChangeFact | undefined }
type ChangeComparison = Comparison<ChangeFact, ChangeFact>

const withLedger = (services: Services): Pick<ChangeComparison, 'right' | 'idOf' | 'rangesOf'> => ({
  right: listFacts(services, 'ledger', { path: 'credit-changes', fact: ChangeFact }),
  idOf: ({ id }) => id,
  rangesOf: ({ since }) => [{ since: new Date(since.getTime() - decisionMsMax) }],
})

/** The gateway's grants and debits and the ledger's. */
export const creditChanges = (services: Services): ChangeComparison => ({
  ...withLedger(services),
  left: listFacts(services, 'gateway', { path: 'credit-changes', fact: ChangeFact }),
  differences: compareChange,
})

/** What the console's purchases, refunds and disputes asked for, and the ledger's grants and debits. */
export const paymentChanges = (services: Services, left: ListPage<ChangeFact>): ChangeComparison => ({
  ...withLedger(services),
  left,
  differences: comparePayment,
})

export function compareChange({ left: asked, right: booked }: Pair, period: Period): Difference[] {
  const one = asked ?? booked
  if (!one || !isCompared([asked, booked], period)) return []
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
    const act = asked.state === 'pending' ? again : `the ledger lost it: ${recoverAct}`
    return [{ check: 'change_missing', subject, detail, act }]
  }
  if (asked.state === booked.state && termsOf(asked) === termsOf(booked)) return []
  const detail = `the gateway has ${changeText(asked)}, the ledger ${changeText(booked)}`
  return [{ check: 'change_differs', subject, detail, act: `ops account show ${account_id}: a person decides` }]
}

/** What waits or was refused is FilmgatePaymentsWait's; here counts what one of both has applied. */
export function comparePayment({ left: asked, right: booked }: Pair, period: Period): Difference[] {
  const one = asked ?? booked
  if (!one?.id.startsWith(paymentPrefix) || !isCompared([asked, booked], period)) return []
  const { id: subject } = one
  if (!asked) {
    const detail = `the ledger has ${changeText(one)}, the console has no payment of this id`
    return [{ check: 'payment_unknown', subject, detail, act: 'the console lost its purchase: ops payments reconcile --from DAY' }]
  }
  const [isAsked, isBooked] = [asked.state === 'applied', booked?.state === 'applied']
  if (isAsked === isBooked && (!booked || termsOf(asked) === termsOf(booked))) return []
  const detail = `the console has ${changeText(asked)}, the ledger has ${booked ? changeText(booked) : 'none of this id'}`
  const check = booked ? 'payment_differs' : 'payment_not_booked'
  return [{ check, subject, detail, act: 'no code leaves such rows: see the runbook' }]
}

const isCompared = (facts: (ChangeFact | undefined)[], period: Period): boolean =>
  facts.some(fact => fact && new Date(fact.created_at) >= period.since) && facts.every(fact => !fact || isSettled(fact.changed_at, period))

const termsOf = ({ account_id, kind, balance, credits }: ChangeFact): string => JSON.stringify([account_id, kind, balance, credits])

const changeText = ({ account_id, kind, balance, credits, state }: ChangeFact): string =>
  `a ${kind} of ${credits} ${balance} credits of ${account_id}, ${state}`
