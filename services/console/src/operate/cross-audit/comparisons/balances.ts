import { BalanceFact } from '@filmgate/proto/operator/facts'
import type { Services } from '../../services/services'
import { type Comparison, type Difference, isSettled, type Period, recoverAct } from './comparison'
import { listFacts } from './list-facts'

/** The gateway's copies of balances and the ledger's accounts: all of them, at each run. */
export const balances = (services: Services): Comparison<BalanceFact, BalanceFact> => ({
  left: listFacts(services, 'gateway', { path: 'balances', fact: BalanceFact }),
  right: listFacts(services, 'ledger', { path: 'balances', fact: BalanceFact }),
  idOf: ({ account_id }) => account_id,
  rangesOf: () => [{}],
  differences: compareBalances,
})

/** The gateway is read first, so its version can't be above the ledger's unless the ledger has lost some. */
export function compareBalances({ left: copy, right: books }: { left?: BalanceFact; right?: BalanceFact }, period: Period): Difference[] {
  const subject = copy?.account_id ?? books?.account_id ?? ''
  if (!copy) {
    if (!books || !isSettled(books.changed_at, period)) return []
    const detail = `the ledger has it ${balanceText(books)}, the gateway has no account of this id`
    return [{ check: 'account_missing', subject, detail, act: `the gateway lost it: ${recoverAct}` }]
  }
  if (!books) {
    if (!isSettled(copy.changed_at, period)) return []
    const detail = `the gateway has it ${balanceText(copy)}, the ledger has no account of this id`
    return [{ check: 'books_missing', subject, detail, act: `the ledger lost it, or never heard of it: ${recoverAct}` }]
  }
  const detail = `the gateway has it ${balanceText(copy)}, the ledger ${balanceText(books)}`
  if (Math.max(copy.balance_version, copy.starter_version ?? 0) > books.balance_version)
    return [{ check: 'balance_ahead', subject, detail, act: `the ledger lost postings: ${recoverAct}` }]
  const isBehind = copy.balance_version < books.balance_version && !isSettled(books.changed_at, period)
  const isPaidAlike = isBehind || copy.available === books.available
  const isStarterAlike = !isSettled(books.changed_at, period) || (copy.starter === books.starter && copy.owed === books.owed)
  if (isPaidAlike && isStarterAlike) return []
  return [
    { check: 'balance_differs', subject, detail, act: `ops account show ${subject}: the account's next grant or task corrects the copy` },
  ]
}

const balanceText = ({ available, starter, owed, balance_version }: BalanceFact): string =>
  `at ${available} credits, ${starter} starter and ${owed} owed, version ${balance_version}`
