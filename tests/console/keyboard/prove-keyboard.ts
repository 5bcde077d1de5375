import type { Devtools } from '../../support/browser/devtools'
import type { Screen } from '../../support/browser/tab'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { withBrowser } from '../browser'
import { formIsThere, slowPrompt, smallestPicture } from '../journey/making'
import { newPerson } from '../journey/sign-up'
import { must, stepsOf } from '../journey/steps'
import { refusalIsThere } from '../looks/acts'
import { linkMailed } from '../people/mailbox'
import { signUpByWire } from '../people/sign-up'
import { openVisitor, type Visitor } from '../visitor'
import { type Keyboard, keyboardOf } from './keyboard'

const screens: Screen[] = [
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
]

/** All that a person mainly does, with the keyboard alone, each stop of which is seen: on a desk, and on a screen as narrow as a phone's. */
export const proveKeyboard = (report: Report): Promise<void> =>
  withBrowser(report, 'keyboard', async devtools => {
    for (const screen of screens)
      await walk(report, devtools, screen).catch(error =>
        report.check(`the walk at ${screen.width} px came to its end`, false, error instanceof Error ? error.stack : String(error)),
      )
  })

async function walk(report: Report, devtools: Devtools, screen: Screen): Promise<void> {
  const name = `keyboard-${screen.width}`
  const person = newPerson('Kay Board')
  const visitor = await openVisitor(devtools, screen)
  const step = stepsOf(report, name, visitor)
  const keyboard = keyboardOf(visitor)
  const { enter, fill } = keyboard

  await step('one signs up and confirms the address by the mail', async () => {
    await enter('Sign up')
    await visitor.at(/^\/sign-up/)
    await fill('Name', person.name)
    await fill('E-mail address', person.email)
    await fill('Password', person.password)
    await visitor.tab.press('Enter')
    await visitor.see('Check your mailbox')
    await visitor.go(await linkMailed(person.email, '/verify'))
    await enter('Confirm the address')
    await visitor.at(/^\/accounts\/[^/]+$/)
    await visitor.see('First steps')
  })
  await step('a refusal leaves one at the button', async () => {
    await visitor.go(`${await visitor.path()}/playground?model=beta-2.5&mode=text-to-video&duration=15&resolution=1080p`)
    await fill('Prompt', 'A film that starter credits do not pay')
    await enter('Make the video')
    await refusalIsThere(visitor)
    await keyboard.staysAt('Make the video')
    // A browser names each answer that is an error.
    visitor.tab.errors.splice(0)
  })
  await step('one buys a pack', async () => {
    await enter('Billing')
    await visitor.at(/\/billing$/)
    await enter('Buy')
    await visitor.see('Stand-in for Stripe Checkout')
    await enter('Pay')
    await visitor.see('The credits are in your balance')
  })
  await step('one chooses a model and a mode, puts pictures into it and makes a video', () => makeVideo(visitor, keyboard))
  await step('one creates a key, rotates it and revokes it', () => useKeys(visitor, keyboard))
  await step('one invites a member and changes their role', () => useMembers(visitor, keyboard))
  await step('one opens the menu of the person and leaves it', async () => {
    await enter(person.name)
    const open = () => visitor.tab.evaluate<boolean>("document.querySelector('details.person').open")
    await until('the menu to open', open)
    await visitor.tab.press('Escape')
    await until('the menu to close', async () => !(await open()))
    await keyboard.staysAt(person.name)
  })
  await step('one deletes the account', async () => {
    await enter('Settings')
    await visitor.at(/\/settings$/)
    await enter('Delete the account…')
    await visitor.see('forfeited')
    await fill(`Type the account’s name, ${person.name}, to confirm`, person.name)
    await enter('Delete permanently')
    await visitor.at(/^\/accounts(\?|$)/)
  })
  report.figure(`${name}.stopsSeen`, keyboard.stops())
  report.check(`${name}: the console has no complaint`, visitor.tab.errors.length === 0, visitor.tab.errors.join('\n'))
  await visitor.close()
}

async function makeVideo(visitor: Visitor, keyboard: Keyboard): Promise<void> {
  const picture = await smallestPicture()
  await keyboard.enter('Playground')
  await visitor.at(/\/playground/)
  await keyboard.choose('Model', 'alpha-h3-fast')
  await formIsThere(visitor)
  await keyboard.staysAt('Model')
  await keyboard.enter('From an image')
  await visitor.see('First frame')
  await keyboard.staysAt('From an image')
  await keyboard.fill('Prompt', await slowPrompt())
  for (const frame of ['First frame', 'Last frame']) {
    await keyboard.giveFile(`Choose a file for ${frame}`, picture)
    // The button is gone with the room for files; what has come in its place has the focus.
    await keyboard.staysAt('Remove kite.png')
  }
  await keyboard.fill('Length', '1')
  await keyboard.enter('Make the video')
  await visitor.at(/\/tasks\/vt_/, 60_000)
  await visitor.see('Done', 60_000)
}

async function useKeys(visitor: Visitor, keyboard: Keyboard): Promise<void> {
  await keyboard.enter('API keys')
  await visitor.at(/\/keys/)
  await keyboard.fill('Name', 'By keyboard')
  await keyboard.enter('Create key')
  await visitor.see('Key created')
  await keyboard.enter('I have copied it')
  await visitor.see('Create a key')
  await keyboard.enter('Rotate By keyboard')
  await visitor.at(/\/rotate$/)
  await keyboard.enter('Rotate')
  await visitor.see('Key rotated')
  await keyboard.enter('I have copied it')
  await visitor.see('Create a key')
  await keyboard.enter('Revoke By keyboard')
  await visitor.see('Requests with this key are rejected')
  await keyboard.enter('Revoke permanently')
  await visitor.see('revoked')
}

async function useMembers(visitor: Visitor, keyboard: Keyboard): Promise<void> {
  const mate = await signUpByWire('Mate')
  await keyboard.enter('Members')
  await visitor.at(/\/members$/)
  await keyboard.fill('E-mail address', mate.email)
  await keyboard.choose('Role', 'viewer')
  await keyboard.enter('Send the invitation')
  await visitor.see('The invitation is being sent')
  await mate.wire.post(new URL(await linkMailed(mate.email, '/invitations/')).pathname)
  await keyboard.enter('Members')
  await visitor.see(mate.name)
  await keyboard.choose(`Role of ${mate.name}`, 'member')
  await keyboard.enter(`Change the role of ${mate.name}`)
  const role = `document.querySelector('select[aria-label="Role of ${mate.name}"]')?.querySelector('[selected]').value`
  await until('the role to be another', async () => (await visitor.tab.evaluate<string>(role).catch(() => '')) === 'member')
  must((await visitor.path()).includes('/members'), 'the page is another')
}
