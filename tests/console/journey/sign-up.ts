import { linkMailed } from '../people/mailbox'
import type { Visitor } from '../visitor'
import { must } from './steps'

export type NewPerson = { name: string; email: string; password: string }

export const newPerson = (name: string): NewPerson => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}.${crypto.randomUUID().slice(0, 8)}@example.com`,
  password: `four quiet words ${crypto.randomUUID().slice(0, 8)}`,
})

/** From the page that signs up to the confirmed address, through the mailbox, in the same browser. */
export async function signUp(visitor: Visitor, { name, email, password }: NewPerson): Promise<void> {
  await visitor.fill('Name', name)
  await visitor.fill('E-mail address', email)
  await visitor.fill('Password', password)
  await visitor.press('Sign up')
  await visitor.see('Check your mailbox')
  await visitor.go(await linkMailed(email, '/verify'))
  await visitor.see(email)
  await visitor.press('Confirm the address')
}

export async function signIn(visitor: Visitor, { email, password }: NewPerson): Promise<void> {
  await visitor.fill('E-mail address', email)
  await visitor.fill('Password', password)
  await visitor.press('Sign in')
}

/** Signing out leaves nothing that is still open. */
export async function signOut(visitor: Visitor): Promise<void> {
  const account = await visitor.path()
  await visitor.press(await visitor.tab.evaluate<string>("document.querySelector('.who').textContent"))
  await visitor.press('Sign out')
  await visitor.at(/^\/sign-in/)
  await visitor.go(account)
  must((await visitor.path()).startsWith('/sign-in'), `${account} is still shown after signing out`)
}
