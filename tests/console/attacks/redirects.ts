import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { type Newcomer, password, signInByWire } from '../people/sign-up'
import { openWire } from '../people/wire'

const elsewhere = [
  'https://evil.example/',
  'HTTPS://evil.example/',
  'http:evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example/%2f..',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/\r/evil.example',
  '/%09/evil.example',
  '/%2f%2fevil.example',
  '%2f%2fevil.example',
  '/%5cevil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/\u2028/evil.example',
  '/／evil.example',
  '//evil.example@localhost/',
  '@evil.example',
  ' https://evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '/a\r\nset-cookie: filmgate.session_token=planted',
  `/${'a'.repeat(5_000)}`,
]

/** Paths that read `next` out of their address: as a redirect, or into their form. */
const shownAt = ['/sign-in', '/sign-in/second', '/sign-up', '/security/confirm']

/** Wherever a link says to go next, it is gone to a path of the console or nowhere. */
export async function proveRedirects(report: Report, { email }: Newcomer): Promise<void> {
  const signed = await signInByWire(email)
  let tried = 0
  for (const next of elsewhere) {
    const shown = JSON.stringify(next.slice(0, 40))
    for (const wire of [signed, openWire()])
      for (const path of shownAt) {
        const { location, text, headers } = await wire.get(`${path}?next=${encodeURIComponent(next)}`)
        const field = /name="next" value="([^"]*)"/.exec(text)?.[1]
        const stays = (location === null || staysHere(location)) && (field === undefined || staysHere(unescaped(field)))
        report.check(`${path} with ${shown} stays in the console`, stays, `${location} ${field}`)
        report.check(`${path} with ${shown} sets no cookie by it`, !headers.getSetCookie().join().includes('planted'))
        tried += 1
      }
    const led = await openWire().post('/sign-in', { email, password, next })
    report.check(`whoever signs in with ${shown} stays in the console`, led.status === 303 && staysHere(led.location), `${led.location}`)
    tried += 1
  }
  const confirmed = await signed.post('/security/confirm', { password, next: '//evil.example' })
  report.check(
    'a confirmation leads back into the console',
    confirmed.status === 303 && staysHere(confirmed.location),
    `${confirmed.location}`,
  )
  report.figure('attacks.redirects', tried + 1)
}

/** As a browser reads a Location: what a slash or a backslash follows is a host. */
const staysHere = (location: string | null): boolean =>
  location !== null &&
  /^\/(?![/\\])/.test(location) &&
  !/[\p{Cc}\\]/u.test(location) &&
  new URL(location, settings.consoleUrl).origin === settings.consoleUrl

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
