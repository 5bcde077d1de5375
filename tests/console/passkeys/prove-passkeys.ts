import type { Devtools } from '../../support/browser/devtools'
import type { Report } from '../../support/suite/report'
import { withBrowser } from '../browser'
import { signIn, signOut } from '../journey/sign-up'
import { must, stepsOf } from '../journey/steps'
import { password, signUpByWire } from '../people/sign-up'
import { openVisitor, type Visitor } from '../visitor'
import { addDevice } from './device'

export type Someone = { name: string; email: string; password: string }

/** A passkey in a real browser with a device that is none: added, used, misused, removed. */
export const provePasskeys = (report: Report): Promise<void> =>
  withBrowser(report, 'passkeys', async devtools => {
    const [paula, quinn] = await Promise.all([signUpByWire('Paula'), signUpByWire('Quinn')])
    await tellPasskeys(report, devtools, { ...paula, password }, { ...quinn, password })
  })

export async function tellPasskeys(report: Report, devtools: Devtools, owner: Someone, other: Someone): Promise<void> {
  const visitor = await openVisitor(devtools, { width: 1_280, scheme: 'light' })
  const step = stepsOf(report, 'passkeys', visitor)
  const device = await addDevice(visitor.tab)
  const byPasskey = async () => {
    await visitor.go('/sign-in')
    await visitor.press('Sign in with a passkey')
  }

  await step('whoever is signed in adds one, which the device keeps for this host alone', async () => {
    await signIn(visitor, owner)
    await visitor.at(/^\/accounts\//)
    await visitor.go('/security')
    await visitor.fill('Name for a new passkey', 'Laptop')
    await visitor.press('Add a passkey')
    await visitor.see('The passkey is added.')
    const [key, ...more] = await device.keys()
    must(key?.isResidentCredential === true && key.rpId === 'localhost' && more.length === 0, JSON.stringify([key, ...more]))
  })
  await step('a device is asked once: it is told which of its keys are known', async () => {
    await visitor.press('Add a passkey')
    await visitor.see(/no passkey was used|already|failed|InvalidState/i)
    must((await device.keys()).length === 1, 'the device has a second key')
  })
  await step('it signs in without an address, a password or a code', async () => {
    await signOut(visitor)
    await byPasskey()
    await visitor.at(/^\/accounts\//)
    must((await whoIsIn(visitor)).includes(owner.name), 'somebody else is signed in')
    must((await device.keys())[0]?.signCount !== 0, 'the device did not count its use')
  })
  await step('it confirms who is there, after a while', async () => {
    await visitor.go('/security/confirm?next=%2Fsecurity')
    await visitor.press('Continue with a passkey')
    await visitor.at(/^\/security$/)
  })
  await step('whoever can’t unlock the device is not signed in', async () => {
    await signOut(visitor)
    await device.unlocks(false)
    await byPasskey()
    await visitor.see('No passkey was used')
    must((await visitor.path()).startsWith('/sign-in'), 'signed in all the same')
    await device.unlocks(true)
  })
  await step('an answer that was given once is not taken again', async () => {
    const statuses = await replay(visitor)
    must(statuses === '200 then 400', statuses)
    await signOutAnywhere(visitor)
  })
  await step('it confirms nobody but its owner', async () => {
    await visitor.go('/sign-in')
    await signIn(visitor, other)
    await visitor.at(/^\/accounts\//)
    const status = await confirmAs(visitor)
    must(status === 400, 'another person’s passkey confirmed')
    await signOut(visitor)
  })
  await step('one that was removed signs nobody in, though the device still has it', async () => {
    await byPasskey()
    await visitor.at(/^\/accounts\//)
    await visitor.go('/security#passkeys')
    await visitor.press('Remove Laptop')
    await visitor.see('The passkey is removed.')
    await signOut(visitor)
    await byPasskey()
    await visitor.see('This passkey is unknown.')
    must((await device.keys()).length === 1, 'the device lost its key, so nothing was tried')
  })
  await visitor.close()
}

const ceremony = `
  const fromBase64 = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0))
  const toBase64 = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const post = (path, body) => fetch(path, {
    method: 'POST', headers: { accept: 'application/json', 'content-type': 'application/json' }, body: body && JSON.stringify(body),
  })
  const options = await (await post('/sign-in/passkey/options')).json()
  const { id, rawId, type, response: given } = await navigator.credentials.get({ publicKey: { ...options, challenge: fromBase64(options.challenge), allowCredentials: [] } })
  const response = {
    id, rawId: toBase64(rawId), type, clientExtensionResults: {},
    response: Object.fromEntries(['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'].map(name => [name, toBase64(given[name])])),
  }
`

const replay = ({ tab }: Visitor): Promise<string> =>
  tab.evaluate<string>(`(async () => { ${ceremony}
    const statuses = []
    for (let times = 0; times < 2; times++) statuses.push((await post('/sign-in/passkey', { response })).status)
    return statuses.join(' then ')
  })()`)

const confirmAs = ({ tab }: Visitor): Promise<number> =>
  tab.evaluate<number>(`(async () => { ${ceremony}
    return (await post('/security/confirm/passkey', { response })).status
  })()`)

const whoIsIn = ({ tab }: Visitor) => tab.evaluate<string>("document.querySelector('.who').textContent")

async function signOutAnywhere(visitor: Visitor): Promise<void> {
  await visitor.go('/')
  await visitor.at(/^\/accounts\//)
  await signOut(visitor)
}
