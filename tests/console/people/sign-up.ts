import { consoleOf } from '../../support/client/console'
import { until } from '../../support/until'
import { linkMailed } from './mailbox'
import { openWire, type Wire } from './wire'

export const password = 'three quiet lanterns by the river'

export type Named = { name: string; email: string }
export type Newcomer = Named & { accountId: string; wire: Wire }

/** A name and an address that nobody else has. */
export function newName(word: string): Named {
  const mark = crypto.randomUUID().slice(0, 8)
  return { name: `${word} ${mark}`, email: `${word.toLowerCase()}-${mark}@people.example` }
}

/** Signs somebody up over the wire: form, mail, link, and the account that is opened with it. */
export const signUpByWire = (word: string): Promise<Newcomer> => signUpAs(newName(word))

export async function signUpAs({ name, email }: Named): Promise<Newcomer> {
  const wire = openWire()
  const sent = await wire.post('/sign-up', { name, email, password, next: '/' })
  if (sent.location !== '/sign-up/sent') throw new Error(`sign-up: ${sent.status} ${sent.text}`)
  await confirm(wire, email)
  const accountId = (await wire.get('/')).location?.split('/')[2]
  if (!accountId) throw new Error('whoever is verified has no account')
  await until('the starter credits', async () => {
    const { status, body } = await consoleOf(accountId).ask('GET', '')
    return status === 200 && (body as unknown as { starter_credits: number }).starter_credits > 0
  })
  return { name, email, accountId, wire }
}

/** Opens the link of the mail in this browser and sends its form. */
export async function confirm(wire: Wire, email: string): Promise<void> {
  const link = new URL(await linkMailed(email, '/verify'))
  const done = await wire.post('/verify', { token: link.searchParams.get('token') ?? '' })
  if (done.status !== 303) throw new Error(`verify: ${done.status} ${done.text}`)
}

export async function signInByWire(email: string, secret = password, wire = openWire()): Promise<Wire> {
  const { status, text } = await wire.post('/sign-in', { email, password: secret, next: '/' })
  if (status !== 303) throw new Error(`sign-in: ${status} ${text}`)
  return wire
}
