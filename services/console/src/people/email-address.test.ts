import { afterAll, expect, test } from 'bun:test'
import { goodPassword, testConsole } from '../testing/test-console'
import { parseEmailAddress } from './email-address'

const it = await testConsole()
afterAll(it.drop)

/** One of each kind that the library refuses. */
const refused = [
  '.ada@example.com',
  'ada.@example.com',
  'ada..lovelace@example.com',
  'ådå@example.com',
  'ada!home@example.com',
  "ada'@example.com",
  'ada@example.xn--p1ai',
]
const accepted = ["o'neil+a_b-c.d@mail.example-shop.co.uk", '-a@b.io', '1@2.museum']

test('sign-up refuses by name each kind of address that the library refuses', async () => {
  for (const email of refused) {
    const { status, text } = await it.browser().post('/sign-up', { name: 'Ada', email, password: goodPassword })
    expect([email, status, text.includes('This is not a valid e-mail address.')]).toEqual([email, 400, true])
  }
  for (const email of accepted)
    expect([email, (await it.browser().post('/sign-up', { name: 'Ada', email, password: goodPassword })).status]).toEqual([email, 303])
})

test('no address that our forms take is refused by the library', () => {
  const { body } = it.auth.api.requestPasswordReset.options
  const local = [..."ab1.'_+-!#&=@ ", 'å', '..', 'x'.repeat(64)]
  const domain = [...'ab1-._', 'å', 'xn--', '.com', '.c0', 'x'.repeat(64)]
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = randomFrom(seed)
  const pick = (parts: string[]): string => Array.from({ length: 1 + random(4) }, () => parts[random(parts.length)]).join('')
  let taken = 0
  for (let round = 0; round < 50_000; round++) {
    const email = parseEmailAddress(`${pick(local)}@${pick(domain)}${random(2) ? '.com' : ''}`)
    if (email === undefined) continue
    taken++
    expect([seed, email, body.safeParse({ email }).success]).toEqual([seed, email, true])
  }
  expect(taken).toBeGreaterThan(500)
})

/** Numbers below a bound; the same for the same seed. */
function randomFrom(seed: number): (bound: number) => number {
  let state = seed
  return bound => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * bound)
  }
}
