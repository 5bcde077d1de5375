import { randomInt } from 'node:crypto'
import { settings } from '../../support/settings'

export type WireAnswer = { status: number; location: string | null; text: string; headers: Headers }
export type Wire = ReturnType<typeof openWire>
type Call = { method?: string; fields?: Record<string, string>; body?: string; headers?: Record<string, string> }
type Options = { cookies?: Map<string, string>; address?: string; base?: string }

/**
 * The console as a browser without scripts asks it: keeps cookies, sends forms from the console's own pages, follows nothing by itself. Each is
 * at an address of its own, where the stack trusts a proxy to say so.
 */
export function openWire({ cookies = new Map(), address = newAddress(), base = settings.consoleUrl }: Options = {}) {
  async function send(path: string, { method = 'GET', fields, body, headers = {} }: Call = {}): Promise<WireAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, base), {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-forwarded-for': address,
        ...(cookie && { cookie }),
        ...(method !== 'GET' && { origin: base }),
        ...headers,
      },
      body: body ?? (fields && new URLSearchParams(fields)),
      signal: AbortSignal.timeout(60_000),
      keepalive: false,
    })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text(), headers: answer.headers }
  }
  return {
    cookies,
    send,
    get: (path: string, headers?: Record<string, string>) => send(path, { headers }),
    post: (path: string, fields: Record<string, string> = {}, headers?: Record<string, string>) =>
      send(path, { method: 'POST', fields, headers }),
  }
}

/** Of a network that is nobody's on the internet. */
export const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';', 1)
  const at = pair.indexOf('=')
  if (/max-age=0\b/i.test(line)) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

/** A hidden field of a page, such as the one that lets a form act once. */
export function hiddenIn(text: string, name: string): string {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1]
  if (value === undefined) throw new Error(`the page has no hidden ${name}: ${text.slice(0, 500)}`)
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
