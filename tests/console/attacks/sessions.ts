import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { headerFaults } from '../matrix/every-answer'
import { linkMailed } from '../people/mailbox'
import { type Newcomer, password, signInByWire, signUpByWire } from '../people/sign-up'
import { openWire, type Wire } from '../people/wire'

const sessionCookie = 'filmgate.session_token'
const secondPassword = 'seven grey herons in the reeds'
const thirdPassword = 'a long road under two moons'

/** A session is the one that its sign-in made, and lasts until it is ended. */
export async function proveSessions(report: Report, victim: Newcomer, attacker: Newcomer): Promise<void> {
  await proveFixation(report, victim, attacker)
  await proveEnds(report, victim)
  // Somebody to whom no other link was mailed, which a changed password has ended.
  await proveMailedLink(report, await signUpByWire('Fern'))
  await proveCookies(report, attacker)
}

/** No script reads a cookie of ours, no other site's form sends it, and no other host has it. */
async function proveCookies(report: Report, { email }: Newcomer): Promise<void> {
  const signedIn = await openWire().post('/sign-in', { email, password, next: '/' })
  report.check('a sign-in sets cookies', signedIn.headers.getSetCookie().length > 0)
  const faults = headerFaults('/sign-in', signedIn)
  report.check('its cookies are for the console’s own pages alone', faults.length === 0, faults.join('; '))
}

const sessionOf = ({ cookies }: Wire): string => cookies.get(sessionCookie) ?? ''
const withSession = (value: string): Wire => openWire({ cookies: new Map([[sessionCookie, value]]) })
const accountOf = async (wire: Wire): Promise<string> => (await wire.get('/')).location ?? ''

/** What an attacker plants in a browser is not what its person signs in with. */
async function proveFixation(report: Report, victim: Newcomer, attacker: Newcomer): Promise<void> {
  const planted = sessionOf(await signInByWire(attacker.email))
  const browser = await signInByWire(victim.email, password, withSession(planted))
  const own = sessionOf(browser)
  report.check('a sign-in makes a session of its own', own !== '' && own !== planted)
  report.check('the new session is who signed in', (await accountOf(withSession(own))).includes(victim.accountId))
  report.check('the planted session is not theirs', !(await accountOf(withSession(planted))).includes(victim.accountId))
  const invented = 'x'.repeat(32)
  const stubborn = await signInByWire(victim.email, password, withSession(`${invented}.${invented}`))
  report.check('a session that somebody invented is not taken on', !sessionOf(stubborn).startsWith(invented))
  for (const value of [invented, `${invented}.${invented}`, `${own.split('.')[0]}.${invented}`, own.slice(0, -3), ''])
    report.check(`the session “${value.slice(0, 12)}…” opens nothing`, (await accountOf(withSession(value))).startsWith('/sign-in'))
  const again = sessionOf(await signInByWire(victim.email, password, withSession(own)))
  report.check('signing in again makes another session', again !== own)
  report.check('and ends the one before', (await accountOf(withSession(own))).startsWith('/sign-in'))
}

/** Signing out, and a new password, end sessions at the server: whoever has their cookies has nothing. */
async function proveEnds(report: Report, { email, accountId }: Newcomer): Promise<void> {
  const left = await signInByWire(email)
  const former = sessionOf(left)
  await left.post('/sign-out')
  report.check('signing out takes the cookie', sessionOf(left) === '')
  report.check('a session that was left opens nothing', (await accountOf(withSession(former))).startsWith('/sign-in'))

  const [here, there] = [await signInByWire(email), await signInByWire(email)]
  const before = sessionOf(here)
  const changed = await here.post('/security/password', { current_password: password, new_password: secondPassword })
  report.check('the password is changed', changed.status === 303, `${changed.status} ${changed.text.slice(0, 300)}`)
  report.check('a new password ends the other sessions', (await accountOf(there)).startsWith('/sign-in'))
  report.check('it gives this one another id', sessionOf(here) !== before && (await accountOf(here)).includes(accountId))
  report.check('and ends the id that it had', (await accountOf(withSession(before))).startsWith('/sign-in'))
  const old = await openWire().post('/sign-in', { email, password, next: '/' })
  report.check('the password of before signs nobody in', old.status === 400, String(old.status))
}

/** A link to a new password leads to the console whatever host a request names, works once, and ends every session. */
async function proveMailedLink(report: Report, { email }: Newcomer): Promise<void> {
  const open = await signInByWire(email)
  const poison = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  await openWire().post('/reset', { email }, poison)
  const link = new URL(await linkMailed(email, '/reset?token='))
  report.check('a mailed link leads to the console, whatever host was named', link.origin === settings.consoleUrl, link.origin)
  const token = link.searchParams.get('token') ?? ''
  const set = await openWire().post('/reset/set', { token, password: thirdPassword })
  report.check('the link sets a password', set.status === 303, `${set.status} ${set.text.slice(0, 300)}`)
  report.check('which ends every session', (await accountOf(open)).startsWith('/sign-in'))
  const twice = await openWire().post('/reset/set', { token, password: 'another one of many words' })
  report.check('the link works once', twice.status === 410, String(twice.status))
}
