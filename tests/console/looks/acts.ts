import { without } from '../../support/stack'
import { until } from '../../support/until'
import { addDevice } from '../passkeys/device'
import { openLogin } from '../people/command-line'
import { password } from '../people/sign-up'
import { newAddress } from '../people/wire'
import type { Visitor } from '../visitor'

import { tryTooOften } from './furnish-states'

export async function signInWrongly(visitor: Visitor): Promise<void> {
  await visitor.fill('E-mail address', 'nobody.at.all@example.com')
  await visitor.fill('Password', 'not the one that it is')
  await visitor.press('Sign in')
  await visitor.see(/no account|password|not/i)
}

export async function signIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.fill('E-mail address', email)
  await visitor.fill('Password', password)
  await visitor.press('Sign in')
  await visitor.see('Your second factor')
}

export async function stopMails(visitor: Visitor): Promise<void> {
  await visitor.press('Unsubscribe')
  await visitor.see('Unsubscribed')
}

export async function startCodes(visitor: Visitor): Promise<void> {
  await visitor.fill('Your password', password)
  await visitor.press('Turn codes on')
  await visitor.see('Scan this')
}

export async function makeBackupCodes(visitor: Visitor): Promise<void> {
  await visitor.fill('Your password', password)
  await visitor.press('Create new backup codes')
  await visitor.see('Your backup codes')
}

export async function signUpWrongly(visitor: Visitor): Promise<void> {
  await visitor.fill('Name', 'Ada')
  await visitor.fill('E-mail address', 'ada@example.com')
  await visitor.fill('Password', 'password1234')
  await visitor.press('Sign up')
  await visitor.see('Some fields need correcting')
}

export async function openMenu(visitor: Visitor): Promise<void> {
  await visitor.press(await visitor.tab.evaluate<string>("document.querySelector('.who').textContent"))
  await visitor.see('Sign out')
}

export async function askToRemove(visitor: Visitor): Promise<void> {
  await visitor.tab.evaluate('document.querySelector(\'a[href$="/remove"]\').click()')
  await visitor.see('loses access to this account')
}

export async function createKey(visitor: Visitor): Promise<void> {
  await visitor.fill('Name', 'For the looks')
  await visitor.press('Create key')
  await visitor.see('Key created')
}

export async function rotateKey(visitor: Visitor): Promise<void> {
  await visitor.press('Rotate')
  await visitor.see('Key rotated')
}

export async function signInTooOften(visitor: Visitor, email: string): Promise<void> {
  await tryTooOften(email)
  await visitor.fill('E-mail address', email)
  await visitor.fill('Password', 'not the one that it is')
  await visitor.press('Sign in')
  await visitor.see('Too many requests')
}

/** The page while what it asks does not answer. */
export const askInVain = (visitor: Visitor, path: string): Promise<void> =>
  without('gateway', 'pause', async () => {
    await visitor.go(path)
    await visitor.see('Temporarily unavailable')
  })

/** The price has said before that the credits don't suffice: this is the answer to the request. */
export const refusalIsThere = ({ tab }: Visitor): Promise<boolean> =>
  until('the refusal', () =>
    tab.evaluate<boolean>("document.querySelector('.refusal') !== null && document.getElementById('sending').textContent === ''"),
  )

export async function makeTooMuch(visitor: Visitor): Promise<void> {
  await visitor.fill('Prompt', 'A film that starter credits do not pay')
  await visitor.press('Make the video')
  await refusalIsThere(visitor)
}

export async function debitTooMuch(visitor: Visitor): Promise<void> {
  await visitor.press('Debit credits…')
  await visitor.fill('Credits', '9999999')
  await visitor.fill('Reason', 'Booked twice')
  await visitor.press('I confirm')
  await visitor.press('Debit')
  await visitor.see(/not|refused|more than/)
}

export async function addPasskey(visitor: Visitor): Promise<void> {
  await addDevice(visitor.tab)
  await visitor.fill('Name for a new passkey', 'Laptop in the studio, under the window')
  await visitor.press('Add a passkey')
  await visitor.see('The passkey is added.')
}

/** The code of a command line that has just asked. */
export async function typeCode(visitor: Visitor): Promise<void> {
  const { body } = await openLogin('build machine in Reykjavík, second floor', newAddress())
  await visitor.fill('Code', body.user_code)
  await visitor.press('Continue')
  await visitor.see('Does your terminal show this code?')
}

export async function chooseVideos({ tab }: Visitor): Promise<void> {
  await tab.evaluate("for (const each of document.querySelectorAll('.pick input')) each.click()")
}

export async function checkBatch(visitor: Visitor): Promise<void> {
  const rows = ['prompt,duration,resolution', 'A lighthouse in fog,4,480p', '"A kite, and rain",2,768p', 'Too long for any model,99,']
  await visitor.fill('Prompts', rows.join('\n'))
  await visitor.press('Check and show the price')
  await visitor.see('Make the videos')
}
