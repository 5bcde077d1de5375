import { type Cluster, forward } from '../../cluster'
import { backends, consoleHost, databaseUrl } from '../../install'
import type { Installation } from '../../installation'
import { eventually } from '../../shell'

export type Page = { status: number; location: string | null; text: string }

/** A browser without scripts that comes through the ingress, or straight to one pod where `base` says so. */
export function consoleVisitor({ target }: Installation) {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}, base = target.url): Promise<Page> {
    const answer = await fetch(`${base}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        host: consoleHost,
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
      signal: AbortSignal.timeout(60_000),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0\b/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }

  return {
    get: (path: string, base?: string) => send(path, {}, base),
    post: (path: string, fields: Record<string, string>) =>
      send(path, { method: 'POST', headers: { origin: `https://${consoleHost}` }, body: new URLSearchParams(fields) }),
  }
}

export type Visitor = ReturnType<typeof consoleVisitor>

/** A new person with a confirmed address, signed in; gives the path of their account. */
export async function signUp(installation: Installation, visitor: Visitor): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`
  const sent = await visitor.post('/sign-up', { name: 'Ada', email, password: `cluster test ${crypto.randomUUID()}` })
  if (sent.location !== '/sign-up/sent') throw new Error(`signing up answers ${sent.status} ${sent.location}: ${sent.text.slice(0, 500)}`)
  const confirmed = await visitor.post('/verify', { token: await tokenSentTo(installation.cluster, email) })
  if (confirmed.location !== '/')
    throw new Error(`confirming answers ${confirmed.status} ${confirmed.location}: ${confirmed.text.slice(0, 500)}`)
  const { location } = await visitor.get('/')
  if (!location?.startsWith('/accounts/')) throw new Error(`/ leads to ${location}`)
  return location
}

/** Out of the mail that waits for a mail server. */
async function tokenSentTo(cluster: Cluster, email: string): Promise<string> {
  const server = await forward(cluster, 'service/filmgate-postgres-rw', 5432, backends)
  const sql = new Bun.SQL(databaseUrl('console', new URL(server.url).host), { max: 1 })
  try {
    return await eventually('the mail of a sign-up', 60_000, async () => {
      const [mail] = await sql`select body_text from mail where recipient = ${email}`
      return /[?&]token=([^\s&]+)/.exec(mail?.body_text ?? '')?.[1]
    })
  } finally {
    await sql.end()
    server.close()
  }
}
