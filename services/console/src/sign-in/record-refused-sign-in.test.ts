import { afterAll, expect, test } from 'bun:test'
import type { Log } from '@filmgate/kit/telemetry/log'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { testLog } from '@filmgate/kit/testing'
import { enableTotp } from '../testing/enable-totp'
import { signUpPerson, testConsole } from '../testing/test-console'
import { totpAt } from '../testing/totp'

type LoggedRefusal = { account?: string; network: string; reason: string }
const logged: LoggedRefusal[] = []
const log = Object.assign(Object.create(testLog), {
  info: (fields: LoggedRefusal, words: string) => words === 'sign-in refused' && logged.push(fields),
}) as Log
const it = await testConsole({ log })
afterAll(it.drop)

const refused = async (reason: string) =>
  Number(new RegExp(`sign_ins_refused_total\\{[^}]*reason="${reason}"[^}]*\\} (\\d+)`).exec(await metricsText())?.[1] ?? Number.NaN)

test('a refused sign-in is one line and one count more, which say neither the password nor whose address it was', async () => {
  const [email, password] = ['ada@example.com', 'not the password of Ada']
  await signUpPerson(it, it.browser(), email)
  const before = await refused('password')
  await it.browser('2001:db8:0:1::5').post('/sign-in', { email, password })
  expect(logged).toEqual([{ account: expect.stringMatching(/^[\w-]{22}$/), network: '2001:db8:0:1', reason: 'password' }])
  expect(JSON.stringify(logged)).not.toMatch(/ada|not the password/)
  expect(await refused('password')).toBe(before + 1)
})

test('codes, and tries beyond the limit, are told apart, and the account is the same in all of them', async () => {
  const email = 'bob@example.com'
  const owner = it.browser()
  await signUpPerson(it, owner, email)
  await enableTotp(owner)
  logged.length = 0
  const browser = it.browser('198.51.100.7')
  await browser.post('/sign-in', { email, password: 'a lantern over wet slate' })
  await browser.post('/sign-in/second', { code: totpAt('AAAAAAAA', 0) })
  for (let count = 0; count < 11; count++) await it.browser('198.51.100.7').post('/sign-in', { email, password: 'wrong' })
  expect(logged.map(({ reason }) => reason)).toEqual(['second_factor', ...Array<string>(10).fill('password'), 'too_many'])
  expect(new Set(logged.map(({ account }) => account)).size).toBe(1)
})
