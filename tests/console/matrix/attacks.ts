import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { newName, password, signInByWire, signUpByWire } from '../people/sign-up'
import { openWire } from '../people/wire'
import type { Cast } from './cast'
import { proveSilence } from './silence'

/** What somebody from outside tries at the sign-in. */
export async function proveAttacks(report: Report, cast: Cast): Promise<void> {
  await proveFixation(report, cast)
  await proveRedirects(report, cast)
  await proveSilence(report, cast)
  await proveBruteForce(report)
}

/** A session that was planted in a browser is not the one that it signs in with, and one that was left is no session. */
async function proveFixation(report: Report, { people, wires }: Cast): Promise<void> {
  const planted = new Map(wires.stranger.cookies)
  const wire = await signInByWire(people.owner.email, password, openWire({ cookies: new Map(planted) }))
  const fresh = [...wire.cookies].filter(([name, value]) => planted.get(name) !== value)
  report.check('a sign-in makes a session of its own', fresh.length > 0)
  const whose = async (cookies: Map<string, string>) => (await openWire({ cookies: new Map(cookies) }).get('/')).location ?? ''
  report.check('the planted session is nobody else’s', !(await whose(planted)).includes(people.owner.accountId))
  report.check('the new one is who signed in', (await whose(wire.cookies)).includes(people.owner.accountId))
  const left = new Map(wire.cookies)
  await wire.post('/sign-out')
  report.check('a session that was left opens nothing', (await whose(left)).startsWith('/sign-in'), await whose(left))
  const invented = new Map([...left].map(([name]) => [name, 'an-invented-value']))
  report.check('an invented session opens nothing', (await whose(invented)).startsWith('/sign-in'))
  const lines = (await openWire().post('/sign-in', { email: people.owner.email, password, next: '/' })).headers.getSetCookie()
  const held = lines.filter(line => !/max-age=0\b/i.test(line)).every(line => /httponly/i.test(line) && /samesite=(lax|strict)/i.test(line))
  report.check('no script and no other site’s form has the cookies', lines.length > 0 && held, lines.join('\n'))
  // The planted session was the stranger's own and is ended by nobody: whoever's browser it was goes on with theirs.
  wires.stranger.cookies.clear()
  await signInByWire(people.stranger.email, password, wires.stranger)
}

const elsewhere = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  'http:evil.example',
  ' https://evil.example',
  '/\n//evil.example',
  '@evil.example',
  `${'/a'.repeat(2_000)}`,
]

async function proveRedirects(report: Report, { people, wires }: Cast): Promise<void> {
  const stays = (location: string | null) =>
    location !== null && /^\/(?![/\\])/.test(location) && new URL(location, settings.consoleUrl).origin === settings.consoleUrl
  const { email } = people.viewer
  for (const next of elsewhere) {
    const shown = JSON.stringify(next.slice(0, 40))
    const led = await wires.viewer.get(`/sign-in?next=${encodeURIComponent(next)}`)
    report.check(`${shown}: whoever is signed in stays in the console`, stays(led.location), String(led.location))
    const signed = await openWire().post('/sign-in', { email, password, next })
    report.check(`${shown}: whoever signs in stays in the console`, stays(signed.location), `${signed.status} ${signed.location}`)
    const form = (await openWire().get(`/sign-in?next=${encodeURIComponent(next)}`)).text
    report.check(`${shown}: the form doesn’t carry it on`, /name="next" value="\/(?![/\\])[^"]*"/.test(form), form.slice(0, 300))
  }
  report.figure('attacks.redirects', elsewhere.length * 3)
}

const triesUntilHeld = 12

async function proveBruteForce(report: Report): Promise<void> {
  const { email } = await signUpByWire('Bruno')
  const wire = openWire()
  const statuses: number[] = []
  for (let tries = 0; tries < triesUntilHeld; tries++)
    statuses.push((await wire.post('/sign-in', { email, password: `wrong ${tries}`, next: '/' })).status)
  report.check('guessing at one account is held up', statuses.at(-1) === 429, statuses.join(' '))
  report.figure('attacks.guesses', statuses.filter(status => status !== 429).length)
  const right = await wire.post('/sign-in', { email, password, next: '/' })
  const waits = Number(right.headers.get('retry-after'))
  report.check('a right guess is told from a wrong one no more', right.status === 429 && waits > 0, `${right.status}, ${waits}`)
  const nobody = newName('Nobody').email
  const unknown: number[] = []
  for (let tries = 0; tries < triesUntilHeld; tries++)
    unknown.push((await wire.post('/sign-in', { email: nobody, password: `wrong ${tries}`, next: '/' })).status)
  report.check('guessing at an address that nobody has is held up alike', unknown.join() === statuses.join(), unknown.join(' '))
}
