import { settings } from '../settings'

export type PersonAnswer = { status: number; location: string | null; text: string }
export type SignedIn = Awaited<ReturnType<typeof signIn>>

type Newcomer = { accountId: string; email: string; name?: string; base?: string }

/** A person who is signed in at the console, as the owner of an account that is at the gateway already, in a browser without scripts. */
export async function signIn({ accountId, email, name = 'Ada', base = settings.consoleUrl }: Newcomer) {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<PersonAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, base), {
      ...init,
      headers: { accept: 'text/html', origin: base, ...(cookie && { cookie }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
      keepalive: false,
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }

  const link = await fetch(`${base}/sign-in/links`, {
    method: 'POST',
    headers: { origin: base, authorization: `Bearer ${settings.consoleToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, name, account_id: accountId, account_name: 'Test' }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!link.ok) throw new Error(`no sign-in link: ${link.status} ${await link.text()}`)
  const { url } = (await link.json()) as { url: string }
  const { status } = await send(url)
  if (status !== 303) throw new Error(`the sign-in link answered ${status}`)
  return {
    get: (path: string) => send(path),
    post: (path: string, fields: Record<string, string> = {}) => send(path, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

/** What stands hidden in a form of the page. */
export function hiddenIn(text: string, name: string): string {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1]
  if (value === undefined) throw new Error(`the page has no hidden ${name}`)
  return value
}

/** What stands hidden in the form of a page that is sent to `action`. */
export function formAt(text: string, action: string): Record<string, string> {
  const from = text.indexOf(`action="${action}"`)
  if (from < 0) throw new Error(`the page has no form for ${action}`)
  const form = text.slice(from, text.indexOf('</form>', from))
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
}
