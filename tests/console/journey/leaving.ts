import { createApi } from '../../support/client/api'
import { until } from '../../support/until'
import type { Visitor } from '../visitor'
import { must } from './steps'

type Leaving = { account: string; name: string; secret: string; member: Visitor }

/** The owner deletes the account on its settings page: its keys end, and who is still signed in as a member finds nothing there. */
export async function deleteAccount(owner: Visitor, { account, name, secret, member }: Leaving): Promise<void> {
  const api = createApi(secret)
  must((await api.get('/credits')).status === 200, 'the key did not work before')
  await owner.press('Settings')
  await owner.at(/\/settings$/)
  await owner.press('Delete the account…')
  await owner.see('forfeited')
  await owner.fill('Type the account’s name', name)
  await owner.press('Delete permanently')
  await owner.at(/^\/accounts(\?|$)/)
  await until('the key of the deleted account to be refused', async () => (await api.get('/credits')).status === 401, 5_000)
  must(!(await hasLinkTo(owner, account)), 'the deleted account is still listed')
  await member.go(account)
  await member.see('Page not found')
}

const hasLinkTo = (visitor: Visitor, path: string): Promise<boolean> =>
  visitor.tab.evaluate<boolean>(`document.querySelector('a[href="${path}"]') !== null`)
