import { audit, operate } from '../../support/operator/operator'
import { run } from '../../support/servers/databases'
import { creditsTaken } from './packs'
import type { Spent } from './spend'
import type { Story } from './story'

export type Finding = { name: string; holds: boolean; words: string }

type Change = { id: string; kind: 'grant' | 'debit'; credits: string; owed: string | null; purchase_id: string }

/** What the story leaves of the credits of its purchase. */
const creditsLeft = ({ bought, kind, paid, refunded, disputed }: Story): number => {
  if (kind === 'nothing to pay') return bought.credits
  return paid === 0 ? 0 : bought.credits - creditsTaken(bought, refunded + disputed)
}

const movedBy = ({ kind, credits }: Change): number => (kind === 'grant' ? Number(credits) : -Number(credits))
const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Holds the books of every account and purchase against the stories alone. */
export async function judge(stories: Story[], before: Map<string, number>, spent: Spent = new Map()) {
  const findings: Finding[] = []
  for (const [accountId, credits] of before) {
    const own = stories.filter(({ bought }) => bought.accountId === accountId)
    findings.push(await judgeAccount(accountId, credits + sumOf(own.map(creditsLeft)), spent.get(accountId) ?? 0))
  }
  const changes = await changesOf(stories)
  findings.push(...judgePurchases(stories, changes), await judgeDecisions(stories, changes), await judgeReviews(stories))
  const found = await audit()
  findings.push({ name: 'the auditor finds nothing', holds: found.length === 0, words: JSON.stringify(found).slice(0, 500) })
  const owed = changes.filter(({ kind, owed }) => kind === 'debit' && Number(owed) > 0)
  const figures = {
    'credits.left': sumOf(stories.map(creditsLeft)),
    'credits.spent': sumOf([...spent.values()]),
    'debits.owed': owed.length,
    'credits.owed': sumOf(owed.map(({ owed }) => Number(owed))),
  }
  return { findings, figures }
}

/** What is there, without what is owed and with what was spent, is what the payments left. */
async function judgeAccount(accountId: string, expected: number, spent: number): Promise<Finding> {
  const { account } = await operate<{ account: { available: number; owed: number } }>('ledger', 'GET', `/accounts/${accountId}`)
  const { available, owed } = account
  const words = `${accountId}: ${available} available − ${owed} owed + ${spent} spent is not ${expected}`
  return { name: 'an account has what its payments left', holds: available - owed + spent === expected, words }
}

const changesOf = (stories: Story[]): Promise<Change[]> =>
  run<Change>(
    'console',
    'select id, kind, credits, owed, purchase_id from payment_change where purchase_id = any(string_to_array($1, $2)::uuid[])',
    [stories.map(({ bought }) => bought.id).join(','), ','],
  )

function judgePurchases(stories: Story[], changes: Change[]): Finding[] {
  const byPurchase = Map.groupBy(changes, ({ purchase_id }) => purchase_id)
  const wrong: string[] = []
  const grantedOtherwise: string[] = []
  for (const story of stories) {
    const { kind, bought, paid, refunded, disputed } = story
    const own = byPurchase.get(bought.id) ?? []
    const [moved, left] = [sumOf(own.map(movedBy)), creditsLeft(story)]
    if (moved !== left) wrong.push(`${kind}, ${JSON.stringify({ ...bought, paid, refunded, disputed })}: ${moved}, not ${left}`)
    const grants = own.filter(({ id }) => /^stripe:(pi|cs)_/.test(id)).length
    if (grants !== (paid > 0 || kind === 'nothing to pay' ? 1 : 0)) grantedOtherwise.push(`${kind} ${bought.id}: ${grants}`)
  }
  return [
    { name: 'payments − refunds − disputes = grants − debits', holds: wrong.length === 0, words: wrong.slice(0, 3).join('; ') },
    { name: 'one grant a payment', holds: grantedOtherwise.length === 0, words: grantedOtherwise.slice(0, 3).join('; ') },
  ]
}

async function judgeDecisions(stories: Story[], changes: Change[]): Promise<Finding> {
  const decided = await run<{ id: string; kind: string; credits: string }>(
    'gateway',
    `select id, kind, credits from credit_change where state = 'applied' and account_id = any(string_to_array($1, $2)) and id like 'stripe:%'`,
    [[...new Set(stories.map(({ bought }) => bought.accountId))].join(','), ','],
  )
  const textOf = ({ id, kind, credits }: { id: string; kind: string; credits: string }) => `${id} ${kind} ${credits}`
  const holds = decided.map(textOf).toSorted().join() === changes.map(textOf).toSorted().join()
  return { name: 'the ledger has decided each change once', holds, words: `${decided.length} of ${changes.length}` }
}

/** A dispute of which Stripe shows no share waits for an operator; nothing else of these does. */
async function judgeReviews(stories: Story[]): Promise<Finding> {
  const rows = await run<{ id: string }>(
    'console',
    `select distinct purchase.id from purchase join reversal using (payment_intent_id)
     where conversion = 'unknown' and purchase.id = any(string_to_array($1, $2)::uuid[])`,
    [stories.map(({ bought }) => bought.id).join(','), ','],
  )
  const expected = stories.filter(({ kind }) => kind === 'dispute of no known share').map(({ bought }) => bought.id)
  const holds =
    rows
      .map(({ id }) => id)
      .toSorted()
      .join() === expected.toSorted().join()
  return { name: 'a dispute of no known share is in review, and no other', holds, words: `${rows.length}, not ${expected.length}` }
}
