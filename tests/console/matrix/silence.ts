import type { Report } from '../../support/suite/report'
import { newName } from '../people/sign-up'
import { openWire, type WireAnswer } from '../people/wire'
import type { Cast } from './cast'

/** Each known address twice: below the limits of tries and of mails, which two of these share. */
const rounds = 2
/** What the times of two medians may differ by, on a machine that does other things too. */
const apartShareMax = 0.25
const apartMsMax = 40

type Ask = { what: string; ask(email: string): Promise<WireAnswer> }

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
export async function proveSilence(report: Report, { people }: Cast): Promise<void> {
  const known = Object.values(people).map(({ email }) => email)
  for (const { what, ask } of asks) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const words: Record<'known' | 'unknown', Set<string>> = { known: new Set(), unknown: new Set() }
    for (let round = 0; round < rounds; round++)
      for (const email of known)
        for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
          const asked = kind === 'known' ? email : newName('Nobody').email
          const from = performance.now()
          const answer = await ask(asked)
          times[kind].push(performance.now() - from)
          words[kind].add(`${answer.status} ${answer.location} ${answer.text.replaceAll(asked, '(address)')}`)
        }
    const same = [...words.known].join() === [...words.unknown].join() && words.known.size === 1
    report.check(`${what} says the same of every address`, same, [...words.known, ...words.unknown].join('\n').slice(0, 800))
    const [there, not] = [median(times.known), median(times.unknown)]
    const apart = Math.abs(there - not)
    report.figure(`silence.${what}.knownMs`, there)
    report.figure(`silence.${what}.unknownMs`, not)
    report.check(
      `${what} takes the same time for every address`,
      apart <= Math.max(apartMsMax, apartShareMax * Math.min(there, not)),
      `${there} ms and ${not} ms`,
    )
  }
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
