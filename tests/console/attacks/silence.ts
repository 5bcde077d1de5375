import type { Report } from '../../support/suite/report'
import { type Newcomer, newName } from '../people/sign-up'
import { openWire, type WireAnswer } from '../people/wire'
import { percentile } from '../speed/percentile'

/** Each known address twice: below the limits of tries and of mails, which two of these share. */
const rounds = 2
/** What the shortest times of both may differ by: what a busy machine adds is in the others. */
const apartShareMax = 0.05
const apartMsMax = 8
/** And their medians: a busy machine adds to these, so that they hold less close. */
const mediansApartTimes = 2
/** Whoever invites is known, and limited by their account: here the words count. */
const inviteApartMsMax = 40

type Ask = { what: string; ask(email: string): Promise<WireAnswer>; apartMs?: number }
type Known = 'known' | 'unknown'

const asks: Ask[] = [
  { what: 'a sign-in', ask: email => openWire().post('/sign-in', { email, password: 'not the right one', next: '/' }) },
  { what: 'a reset', ask: email => openWire().post('/reset', { email }) },
  { what: 'a mail sent again', ask: email => openWire().post('/verify/again', { email }) },
  {
    what: 'a sign-up',
    ask: email => openWire().post('/sign-up', { name: 'Somebody', email, password: 'five green kettles and a map', next: '/' }),
  },
]

/** Neither words nor time tell whether an address has an account. */
export async function proveSilence(report: Report, people: Newcomer[]): Promise<void> {
  const emails = people.map(({ email }) => email)
  for (const each of asks) await proveAlike(report, each, emails, rounds)
  await proveAlike(report, { what: 'another address', ask: changeOf(people) }, emails, 1)
  const [inviter, ...others] = people
  if (!inviter) throw new Error('nobody invites')
  const path = `/accounts/${inviter.accountId}/members/invitations`
  const ask = (email: string) => inviter.wire.post(path, { email, role: 'viewer' })
  const invite = { what: 'an invitation', ask, apartMs: inviteApartMsMax }
  // One is invited once.
  await proveAlike(
    report,
    invite,
    others.map(({ email }) => email),
    1,
  )
}

/** Whoever changes their address, one after another, as each may only a few times; nobody to their own. */
function changeOf(people: Newcomer[]): Ask['ask'] {
  let asked = 0
  return async email => {
    const others = people.filter(person => person.email !== email)
    const person = others[Math.floor(asked++ / 2) % others.length]
    if (!person) throw new Error('nobody changes their address')
    return person.wire.post('/security/email', { email })
  }
}

async function proveAlike(report: Report, { what, ask, apartMs = apartMsMax }: Ask, known: string[], times: number): Promise<void> {
  const took: Record<Known, number[]> = { known: [], unknown: [] }
  const words: Record<Known, Set<string>> = { known: new Set(), unknown: new Set() }
  for (let round = 0; round < times; round++)
    for (const [index, email] of known.entries())
      for (const kind of (round + index) % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const asked = kind === 'known' ? email : newName('Nobody').email
        const from = performance.now()
        const { status, location, text, headers } = await ask(asked)
        took[kind].push(performance.now() - from)
        const cookies = headers.getSetCookie().map(line => line.replace(/=[^;]*/, ''))
        words[kind].add(`${status} ${location} ${cookies} ${text.replaceAll(asked, '(address)')}`)
      }
  const same = [...words.known].join() === [...words.unknown].join() && words.known.size === 1
  report.check(`${what} says the same of every address`, same, [...words.known, ...words.unknown].join('\n').slice(0, 800))
  for (const [which, part, times] of [
    ['shortest', 0, 1],
    ['median', 0.5, mediansApartTimes],
  ] as const) {
    const [there, not] = [percentile(took.known, part), percentile(took.unknown, part)]
    report.figure(`silence.${what}.${which}.knownMs`, there)
    report.figure(`silence.${what}.${which}.unknownMs`, not)
    report.check(
      `${what} takes the same time for every address (${which})`,
      Math.abs(there - not) <= times * Math.max(apartMs, apartShareMax * Math.min(there, not)),
      `${there} ms and ${not} ms`,
    )
  }
}
