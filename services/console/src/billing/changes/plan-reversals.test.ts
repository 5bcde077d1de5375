import { expect, test } from 'bun:test'
import { reversalFact } from '../stripe/facts'
import { planReversals, type Reversal } from './plan-reversals'

const terms = { credits: 1_000, amount: 999, currency: 'usd' }
const refund = (id: string, amount: number, more: Partial<Reversal> = {}): Reversal => ({
  ...{ id, kind: 'refund', amount, currency: 'usd', status: 'succeeded', counted: 0, changes: 0 },
  ...more,
})

/** A deterministic pseudo-random sequence. */
function numbers(seed: number): (max: number) => number {
  let state = seed
  return max => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % max
  }
}

test('parts of a payment that go back take the credits of the whole, in whatever order and parts they come', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = numbers(seed)
    const parts = [100, 333, 1, 65, 500].map((amount, index) => refund(`re_${index}`, amount))
    const known: Reversal[] = []
    let taken = 0
    while (parts.length > 0) {
      known.push(...parts.splice(random(parts.length), 1))
      if (random(3) > 0 && parts.length > 0) continue
      const plan = planReversals(terms, known)
      taken += plan.changes.reduce((sum, { kind, credits }) => sum + (kind === 'debit' ? credits : -credits), 0)
      for (const { id, ...counted } of plan.counted) Object.assign(known.find(each => each.id === id) ?? {}, counted)
      expect(planReversals(terms, known)).toEqual({ changes: [], counted: [] })
    }
    expect(taken).toBe(terms.credits)
  }
})

test('a dispute takes the credits, and gives them back when it is won, each under an id of its own', () => {
  const dispute = refund('dp_1', 999, { kind: 'dispute', status: 'needs_response' })
  expect(planReversals(terms, [dispute])).toEqual({
    changes: [{ id: 'stripe:dp_1', kind: 'debit', credits: 1_000, reason: 'dispute dp_1 is needs_response' }],
    counted: [{ id: 'dp_1', counted: 999, changes: 1 }],
  })
  expect(planReversals(terms, [{ ...dispute, status: 'won', counted: 999, changes: 1 }]).changes).toEqual([
    { id: 'stripe:dp_1:2', kind: 'grant', credits: 1_000, reason: 'dispute dp_1 is won' },
  ])
  expect(planReversals(terms, [{ ...dispute, status: 'lost', counted: 999, changes: 1 }]).changes).toEqual([])
})

test('an inquiry, a refund that failed and a dispute that was won at once take nothing', () => {
  const none = [
    refund('dp_1', 999, { kind: 'dispute', status: 'warning_needs_response' }),
    refund('dp_2', 999, { kind: 'dispute', status: 'won' }),
    refund('re_1', 999, { status: 'failed' }),
    refund('re_2', 999, { status: 'canceled' }),
  ]
  expect(planReversals(terms, none)).toEqual({ changes: [], counted: [] })
})

test('money that moves from a dispute to its refund takes and gives nothing on the way, whichever of them is read first', () => {
  const won = refund('dp_1', 999, { kind: 'dispute', status: 'won', counted: 999, changes: 1 })
  const paidBack = refund('re_1', 999)
  for (const known of [
    [won, paidBack],
    [paidBack, won],
  ])
    expect(planReversals(terms, known)).toEqual({
      changes: [],
      counted: [
        { id: 're_1', counted: 999, changes: 0 },
        { id: 'dp_1', counted: 0, changes: 1 },
      ],
    })
})

test('no more credits are taken than were bought, though money goes back twice', () => {
  const both = [refund('re_1', 600), refund('dp_1', 999, { kind: 'dispute', status: 'needs_response' })]
  expect(planReversals(terms, both).changes.reduce((sum, { credits }) => sum + credits, 0)).toBe(1_000)
})

const prevented = (more: Record<string, unknown>) =>
  reversalFact('dispute', { id: 'dp_1', payment_intent: 'pi_1', amount: 300, currency: 'usd', status: 'prevented', ...more })?.status ?? ''
const ofCase = (case_type: string) => ({ payment_method_details: { type: 'card', card: { case_type } } })

test('a dispute that was prevented by paying the money back takes it, one that was prevented otherwise does not', () => {
  expect([prevented({}), prevented(ofCase('block')), prevented({ balance_transactions: [] })]).toEqual([
    'prevented',
    'prevented',
    'prevented',
  ])
  const paidBack = [prevented(ofCase('resolution')), prevented({ balance_transactions: [{ amount: -300 }] })]
  expect(paidBack).toEqual(['prevented_paid_back', 'prevented_paid_back'])
  expect(prevented({ ...ofCase('resolution'), balance_transactions: [{ amount: -300 }, { amount: 300 }] })).toBe('prevented')
  const dispute = refund('dp_1', 300, { kind: 'dispute', status: 'prevented_paid_back' })
  expect(planReversals(terms, [dispute]).changes).toMatchObject([{ kind: 'debit', credits: 300 }])
})

test('what is paid back to prevent a dispute is taken once, where a refund tells of the same money too, in either order', () => {
  const dispute = refund('dp_1', 300, { kind: 'dispute', status: 'prevented_paid_back' })
  const taken = ({ changes }: ReturnType<typeof planReversals>) =>
    changes.reduce((sum, { kind, credits }) => sum + (kind === 'debit' ? credits : -credits), 0)
  expect(taken(planReversals(terms, [dispute, refund('re_1', 300)]))).toBe(300)
  expect(taken(planReversals(terms, [{ ...dispute, counted: 300, changes: 1 }, refund('re_1', 300)]))).toBe(0)
  expect(taken(planReversals(terms, [refund('re_1', 300, { counted: 300, changes: 1 }), dispute]))).toBe(0)
  expect(taken(planReversals(terms, [dispute, refund('re_1', 200)]))).toBe(500)
  expect(taken(planReversals(terms, [dispute, refund('re_1', 300, { status: 'failed' })]))).toBe(300)
  // In the presented currency, with its rounded share of the payment.
  const presented = { ...dispute, amount: 266, currency: 'chf', converted: 299 }
  expect(taken(planReversals(terms, [presented, refund('re_1', 300)]))).toBe(300)
  expect(taken(planReversals(terms, [presented, refund('re_1', 200)]))).toBe(499)
  expect(taken(planReversals(terms, [{ ...presented, converted: null }, refund('re_1', 300)]))).toBe(300)
})

test('an amount in another currency counts with its share of the payment, and with nothing while that is not known', () => {
  const dispute = refund('dp_1', 5, { kind: 'dispute', status: 'lost', currency: 'eur' })
  expect(planReversals(terms, [dispute])).toEqual({ changes: [], counted: [] })
  expect(planReversals(terms, [{ ...dispute, converted: 333 }]).changes).toMatchObject([{ kind: 'debit', credits: 333 }])
  expect(planReversals(terms, [{ ...dispute, converted: 333, status: 'won' }]).changes).toEqual([])
})
