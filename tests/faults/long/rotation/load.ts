import { callbackToken } from '@filmgate/kit/callback-token'
import { turnCodesOn } from '../../../console/people/codes'
import { type Newcomer, password, signUpByWire } from '../../../console/people/sign-up'
import { totp } from '../../../console/people/totp'
import { openWire } from '../../../console/people/wire'
import { type Account, openAccount } from '../../../support/client/account'
import { ownWords, smallRequest } from '../../../support/client/request'
import { settings } from '../../../support/settings'
import { simulator } from '../../../support/simulator'
import type { Receiver } from './receiver'

type Member = Newcomer & { totpSecret: string }
export type Clients = { subscribers: Account[]; members: Member[] }

const subscribersMax = 3
const membersMax = 6
/** Each sign-in needs a code that was not used, and an account may try ten in a quarter of an hour. */
const signInEveryMs = 120_000
/** The code that turned codes on is another one by then. */
const firstSignInMs = 31_000
const pageEveryMs = 400
const pollEveryMs = 250
const endsWithinMs = 120_000

/** Accounts with keys and endpoints, and people who are signed in and have a second factor, all made before anything is rotated. */
export async function openClients(receiver: Receiver): Promise<Clients> {
  const subscribers: Account[] = []
  for (let index = 0; index < subscribersMax; index++) {
    const account = await openAccount({ credits: 1_000_000 })
    const url = `${receiver.origin}/${account.accountId}`
    const made = await account.api.send('POST', '/webhook-endpoints', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    receiver.secrets.set(new URL(url).pathname, (JSON.parse(made.text) as { secret: string }).secret)
    subscribers.push(account)
  }
  const members: Member[] = []
  for (let index = 0; index < membersMax; index++) {
    const person = await signUpByWire(`Rota${index}`)
    members.push({ ...person, totpSecret: await turnCodesOn(person.wire) })
  }
  return { subscribers, members }
}

export type Load = { failures: string[]; counts: Map<string, number>; ended: string[]; stop(): Promise<void> }

/** Requests of every kind until it is stopped. Each answer that is not what it should be, and each connection that breaks, is a failure. */
export function startLoad({ subscribers, members }: Clients, callbackSecrets: () => string[]): Load {
  const failures: string[] = []
  const counts = new Map<string, number>()
  const ended: Load['ended'] = []
  let stopping = false

  async function request(kind: string, ask: () => Promise<{ status: number; text: string }>, wanted: number): Promise<boolean> {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const { status, text } = await ask().catch((error: Error) => ({ status: 0, text: error.message }))
    if (status !== wanted) failures.push(`${kind}: ${status} ${text.slice(0, 300)}`)
    return status === wanted
  }

  async function generate({ api }: Account): Promise<void> {
    const prompt = ownWords()
    await simulator.behave(prompt, [{ name: 'instant' }])
    let taskId = ''
    const posted = async () => {
      const answer = await api.generate(smallRequest({ prompt }))
      taskId = answer.body.id
      return answer
    }
    if (!(await request('POST', posted, 202))) return
    const deadline = Date.now() + endsWithinMs
    const seen = new Set<string>()
    const polled = async () => {
      const answer = await api.task(taskId)
      seen.add(answer.body.status)
      return answer
    }
    for (; !seen.has('failed') && Date.now() < deadline; await Bun.sleep(pollEveryMs)) {
      await request('poll', polled, 200)
      if (seen.has('completed')) return void ended.push(taskId)
    }
    failures.push(`a task that did not end: ${taskId}`)
  }

  const attemptId = `at_${'0123456789abcdef'.repeat(2)}`
  const callBack = async () => {
    for (const secret of callbackSecrets()) {
      const token = callbackToken(secret, { provider: 'simulator', attemptId })
      const call = async () => {
        const url = `${settings.serviceUrls.gateway}/hooks/simulator/${token}`
        const answer = await fetch(url, { method: 'POST', body: '{}', keepalive: false, signal: AbortSignal.timeout(30_000) })
        return { status: answer.status, text: await answer.text() }
      }
      await request('callback', call, 204)
    }
    await Bun.sleep(pageEveryMs)
  }

  const loop = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping) await work()
  }
  const openPage = async ({ wire, accountId }: Member) => {
    await request('page', () => wire.get(`/accounts/${accountId}`), 200)
    await Bun.sleep(pageEveryMs)
  }
  const signInAgain = async (member: Member, index: number) => {
    await Bun.sleep(firstSignInMs + index * 5_000)
    while (!stopping) {
      await request('sign-in', () => signIn(member), 303)
      const until = Date.now() + signInEveryMs
      while (!stopping && Date.now() < until) await Bun.sleep(500)
    }
  }
  const running = [
    ...subscribers.flatMap(one => [loop(() => generate(one)), loop(() => generate(one))]),
    ...members.map(member => loop(() => openPage(member))),
    ...members.map(signInAgain),
    loop(callBack),
  ]
  return {
    failures,
    counts,
    ended,
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}

/** In a browser of its own: the password, then a code. 303 where somebody is signed in by it. */
export async function signIn({ email, totpSecret }: Member): Promise<{ status: number; text: string }> {
  const wire = openWire()
  const first = await wire.post('/sign-in', { email, password, next: '/' })
  if (first.status !== 303) return first
  const second = await wire.post('/sign-in/second', { code: totp(totpSecret) })
  return second.status === 303 ? wire.get('/').then(({ status, text }) => ({ status, text })) : second
}
