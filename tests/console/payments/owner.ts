import { openInstance } from '@filmgate/tools/stack/instance'
import { openAccount } from '../../support/client/account'
import { instance as instanceName, settings } from '../../support/settings'

export type Owner = {
  accountId: string
  /** Of a page: its text; of an act: where it leads. */
  get(path: string, accept?: string): Promise<{ status: number; text: string; location: string }>
  post(path: string, fields?: Record<string, string>): Promise<{ status: number; text: string; location: string }>
}

/** Somebody who is signed in to the console as the owner of a new account, over plain HTTP. */
export async function openOwner(consoleUrl: string): Promise<Owner> {
  const { accountId } = await openAccount({ credits: 10 })
  const { consoleToken } = openInstance(instanceName, settings.portBase)
  const made = await fetch(`${consoleUrl}/sign-in/links`, {
    method: 'POST',
    headers: { origin: consoleUrl, authorization: `Bearer ${consoleToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${accountId.toLowerCase()}@example.com`, name: 'Owner', account_id: accountId, account_name: 'Studio' }),
  })
  if (!made.ok) throw new Error(`the console made no sign-in link: ${made.status} ${await made.text()}`)
  const { url } = (await made.json()) as { url: string }
  const signedIn = await fetch(url, { redirect: 'manual' })
  const cookie = signedIn.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')

  async function send(path: string, accept: string, fields?: Record<string, string>) {
    const answer = await fetch(new URL(path, consoleUrl), {
      method: fields ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie, accept, origin: consoleUrl, ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(fields && { body: new URLSearchParams(fields).toString() }),
    })
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' }
  }
  return {
    accountId,
    get: (path, accept = 'text/html') => send(path, accept),
    post: (path, fields = {}) => send(path, 'text/html', fields),
  }
}
