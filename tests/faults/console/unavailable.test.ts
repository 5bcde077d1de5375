import { expect, test } from 'bun:test'
import { password, signUpByWire } from '../../console/people/sign-up'
import type { Wire, WireAnswer } from '../../console/people/wire'
import { settings } from '../../support/settings'
import { without } from '../../support/stack'
import { timed, until } from '../../support/until'

/** The promise is 5 s; a busy machine may take a moment to say it. */
const answerMsMax = 15_000
const testTimeoutMs = 120_000

/** A page that says so in our own words, in time, and when to come again; what was signed in stays so. */
async function expectUnavailable(asked: Record<string, () => Promise<WireAnswer>>): Promise<void> {
  const answers = await Promise.all(Object.entries(asked).map(async ([name, ask]) => ({ name, ...(await timed(ask())) })))
  for (const { name, answer, ms } of answers) {
    expect([name, answer.status, answer.text.includes('is not available at the moment')]).toEqual([name, 503, true])
    expect([name, Number(answer.headers.get('retry-after')) > 0, ms < answerMsMax]).toEqual([name, true, true])
  }
}

const pagesOf = (wire: Wire, account: string) => ({
  overview: () => wire.get(account),
  playground: () => wire.get(`${account}/playground`),
  tasks: () => wire.get(`${account}/tasks`),
  keys: () => wire.get(`${account}/keys`),
})

for (const way of ['pause', 'stop'] as const)
  test(
    `the database ${way === 'pause' ? 'frozen' : 'stopped'}: pages and sign-ins are 503 within 5 s, and whoever is signed in still is when it is back`,
    async () => {
      const { wire, accountId, email } = await signUpByWire('Nina')
      const account = `/accounts/${accountId}`
      const pages = pagesOf(wire, account)
      await without('postgres', way, async () => {
        await expectUnavailable({ ...pages, 'sign-in': () => wire.post('/sign-in', { email, password }) })
        expect((await fetch(`${settings.consoleUrl}/healthz`)).status).toBe(200)
      })
      for (const [name, ask] of Object.entries(pages)) await until(`the ${name} is back`, async () => (await ask()).status === 200, 20_000)
    },
    testTimeoutMs,
  )

test(
  'the gateway gone: its pages are 503 at once, and sign-ins go on',
  async () => {
    const { wire, accountId, email } = await signUpByWire('Gil')
    const pages = pagesOf(wire, `/accounts/${accountId}`)
    await without('gateway', 'stop', async () => {
      await expectUnavailable(pages)
      expect((await wire.post('/sign-in', { email, password, next: '/' })).status).toBe(303)
    })
    for (const [name, ask] of Object.entries(pages)) await until(`the ${name} is back`, async () => (await ask()).status === 200, 20_000)
  },
  testTimeoutMs,
)
