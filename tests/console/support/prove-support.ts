import { createKey } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { withBrowser } from '../browser'
import { type Furnished, furnish } from '../looks/furnish'
import { openAs } from '../looks/open-as'
import type { Visitor } from '../visitor'

const clicksMax = 3
/** Generous: it is what a person may take, on a busy machine. */
const answeredMsMax = 30_000
/** Costs more than a newcomer has. */
const tooMuch = { model: 'beta-2.5', mode: 'text-to-video', duration: 15, resolution: '1080p', prompt: 'Nobody can pay for this' }

/** What an operator does to answer; `press` and `search` count as clicks, reading does not. */
type Desk = Pick<Visitor, 'see'> & { press(name: string): Promise<void>; search(text: string): Promise<void> }
type Question = [question: string, answer: (desk: Desk) => Promise<void>]

/** What customers and owners ask, answered from the operators' first page in three clicks and half a minute each. */
export const proveSupport = (report: Report): Promise<void> =>
  withBrowser(report, 'support', async devtools => {
    const furnished = await furnish()
    const questions = questionsOf(furnished, await addCases(furnished))
    const visitor = await openAs(devtools, { width: 1280, scheme: 'light' }, furnished.operator)
    for (const [question, answer] of questions) {
      await visitor.go('/operate')
      const { desk, clicks } = deskOf(visitor)
      const began = performance.now()
      const fault = await answer(desk).then(
        () => undefined,
        (error: Error) => error.message,
      )
      const ms = performance.now() - began
      const quick = clicks() <= clicksMax && ms <= answeredMsMax
      report.check(`support: ${question}`, fault === undefined && quick, fault ?? `${clicks()} clicks, ${Math.round(ms)} ms`)
      report.figure(`support.${question}`, `${clicks()} clicks, ${(ms / 1_000).toFixed(1)} s`)
    }
    await visitor.close()
  })

function deskOf(visitor: Visitor): { desk: Desk; clicks(): number } {
  let clicks = 0
  const press = async (name: string) => {
    clicks += 1
    await visitor.press(name)
  }
  const search = async (text: string) => {
    await press('Search')
    await visitor.at(/^\/operate\/search/)
    await visitor.fill('Search', text)
    clicks += 1
    await visitor.tab.press('Enter')
  }
  return { desk: { see: visitor.see, press, search }, clicks: () => clicks }
}

type Cases = { revoked: string; requestId: string; providerTaskId: string }

/** A key that its owner revoked, a newcomer's orders without the credits for them, and what the provider calls a video. */
async function addCases({ owner, newcomer, operator, tasks }: Furnished): Promise<Cases> {
  const { api_key, key_id } = await createKey(owner.accountId)
  await owner.wire.post(`/accounts/${owner.accountId}/keys/${key_id}/revoke`)
  await consoleOf(newcomer.accountId).generate(tooMuch)
  const api = createApi((await createKey(newcomer.accountId)).api_key)
  const requestId = (await api.generate(tooMuch)).headers.get('x-request-id') ?? ''
  const page = async () => (await operator.get(`/operate/tasks/${tasks.done}`)).text
  const found = async () => /Provider’s id<\/dt><dd>\s*<code>([^<]+)/.exec(await page())?.[1]
  return { revoked: api_key.slice(0, 20), requestId, providerTaskId: await until('the provider’s id of a video', found) }
}

const questionsOf = ({ owner, newcomer, tasks, purchase }: Furnished, { revoked, requestId, providerTaskId }: Cases): Question[] => [
  [
    'charged, and no video',
    async ({ search, see }) => {
      await search(tasks.failed)
      await see(/refunded/i)
      await see(/output.moderated/i)
    },
  ],
  [
    'why 402',
    async ({ search, press, see }) => {
      await search(newcomer.accountId)
      await press('Tasks of this account')
      await see(/declined[\s\S]*insufficient_credits/)
    },
  ],
  [
    'what an X-Request-Id was answered',
    async ({ search, see }) => {
      await search(requestId)
      await see(/402[\s\S]*insufficient_credits/)
      await see(newcomer.accountId)
    },
  ],
  [
    'who revoked the key',
    async ({ search, see }) => {
      await search(revoked)
      await see(new RegExp(`Revoked the key[^\\n]*\\s+${owner.email}`))
    },
  ],
  [
    'which provider was slow last week',
    async ({ press, see }) => {
      await press('Last 7 days')
      await see(/simulator[\s\S]*alpha-h3-fast[\s\S]*\d s/)
    },
  ],
  [
    'what fails there, and for whom',
    async ({ press, see }) => {
      await press('1 output moderated')
      await see(tasks.failed)
      await see(owner.accountId)
    },
  ],
  [
    'what did this account earn us',
    async ({ search, press, see }) => {
      await search(owner.accountId)
      await press('What this account cost and brought')
      await see(/total[\s\S]*\$/)
    },
  ],
  [
    'what did we earn last week',
    async ({ press, see }) => {
      await press('Costs')
      await press('Last 7 days')
      await see(/total[\s\S]*\$/)
    },
  ],
  [
    'did the mail arrive',
    async ({ search, see }) => {
      await search(owner.email)
      await see(/Confirm your e-mail address[\s\S]*the mail server took it/)
    },
  ],
  [
    'paid, and no credits',
    async ({ search, see }) => {
      await search(purchase.split('/').at(-1) ?? '')
      await see(/granted|credited/i)
    },
  ],
  [
    'what a video waits for',
    async ({ search, see }) => {
      await search(tasks.held)
      await see(/In review since/)
    },
  ],
  [
    'whose video the provider means',
    async ({ search, see }) => {
      await search(providerTaskId)
      await see(tasks.done)
      await see(owner.accountId)
    },
  ],
]
