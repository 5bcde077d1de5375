import type { Devtools } from '../../support/browser/devtools'
import { linkMailed } from '../people/mailbox'
import { openVisitor, type Visitor } from '../visitor'
import { newPerson, signUp } from './sign-up'

/** The owner asks somebody in who is nobody here yet; they come by the mail, in a browser of their own, sign up and join. */
export async function inviteNewcomer(owner: Visitor, devtools: Devtools, members: string): Promise<Visitor> {
  const invited = newPerson('Nora Newcomer')
  await owner.go(members)
  await owner.fill('E-mail address', invited.email)
  await owner.press('Send the invitation')
  await owner.see('The invitation is being sent')
  const link = await linkMailed(invited.email, '/invitations/')
  const newcomer = await openVisitor(devtools, { width: 390, scheme: 'dark' })
  await newcomer.go(link)
  await newcomer.see('invites you to the account')
  await newcomer.press('Sign up')
  await newcomer.at(/^\/sign-up/)
  await signUp(newcomer, invited)
  await newcomer.at(/^\/accounts/)
  await newcomer.go(link)
  await newcomer.press('Join')
  await newcomer.see('Overview')
  await owner.go(members)
  await owner.see(invited.email)
  return newcomer
}
