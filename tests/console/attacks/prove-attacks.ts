import type { Report } from '../../support/suite/report'
import { signUpByWire } from '../people/sign-up'
import { proveGuessing } from './guessing'
import { proveMarkup } from './markup'
import { proveRedirects } from './redirects'
import { proveSessions } from './sessions'
import { proveSilence } from './silence'
import { proveTrustedMarkup } from './trusted-markup'

/** What somebody from outside tries: at the sign-in, at its links and limits, and with what they may write. */
export async function proveAttacks(report: Report): Promise<void> {
  const people = await Promise.all(['Ada', 'Bea', 'Cleo', 'Dora', 'Elli'].map(signUpByWire))
  const [ada, bea, cleo] = people
  if (!ada || !bea || !cleo) throw new Error('somebody did not sign up')
  await proveSilence(report, people)
  await proveSessions(report, ada, bea)
  await proveRedirects(report, bea)
  await proveMarkup(report)
  await proveTrustedMarkup(report)
  await proveGuessing(report)
}
