import { afterAll, expect, test } from 'bun:test'
import { testDatabase } from '@filmgate/kit/testing'
import { uuidv7 } from 'uuidv7'
import { migrationsFolder } from '../../database/migrations-folder'
import { CustomerGoneError, type NewCustomer } from '../stripe/stripe-api'
import { fakeStripe } from '../testing/fakes'
import { withCustomer } from './with-customer'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)

function world(livemode = false) {
  const made: NewCustomer[] = []
  const gone = new Set<string>()
  const createCustomer = async (customer: NewCustomer) => `cus_${customer.accountId}_${livemode}_${made.push(customer)}`
  const stripe = fakeStripe({ livemode, createCustomer })
  const buy = (accountId: string) =>
    withCustomer({ sql, stripe }, { accountId, accountName: 'Studio', email: 'ada@example.com' }, async customer => {
      if (gone.has(customer)) throw new CustomerGoneError('no such customer')
      return customer
    })
  return { made, gone, buy }
}

test('an account has one customer in each mode of Stripe', async () => {
  const accountId = uuidv7()
  const [play, money] = [world(false), world(true)]
  const bought = [await play.buy(accountId), await money.buy(accountId), await play.buy(accountId), await money.buy(accountId)]
  const [first, second] = [`cus_${accountId}_false_1`, `cus_${accountId}_true_1`]
  expect(bought).toEqual([first, second, first, second])
})

test('who was deleted at Stripe is made anew, once', async () => {
  const accountId = uuidv7()
  const { made, gone, buy } = world()
  const first = await buy(accountId)
  gone.add(first)
  expect(await buy(accountId)).toBe(`cus_${accountId}_false_2`)
  expect(await buy(accountId)).toBe(`cus_${accountId}_false_2`)
  expect(made.map(customer => customer.gone)).toEqual([undefined, first])
})

test('what else Stripe says makes nobody anew', async () => {
  const accountId = uuidv7()
  const stripe = fakeStripe()
  const input = { accountId, accountName: 'Studio', email: 'ada@example.com' }
  const call = () => Promise.reject(new Error('Stripe is away'))
  expect(withCustomer({ sql, stripe }, input, call)).rejects.toThrow('Stripe is away')
})
