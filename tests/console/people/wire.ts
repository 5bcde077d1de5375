import { randomInt } from 'node:crypto'
import { settings } from '../../support/settings'

export type WireAnswer = { status: number; location: string | null; text: string; headers: Headers }
export type Wire = ReturnType<typeof openWire>
type Call = { method?: string; fields?: Record<string, string>; body?: string; headers?: Record<string, string> }
type Options = { cookies?: Map<string, string>; address?: string }

/**
 * The console as a browser without scripts asks it: keeps cookies, sends forms from the console's own pages, follows nothing by itself. Each is
 * at an address of its own, where the stack trusts a proxy to say so.
 */
export function openWire({ cookies = new Map(), address = newAddress() }: Options = {}) {
  async function send(path: string, { method = 'GET', fields, body, headers = {} }: Call = {}): Promise<WireAnswer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, settings.consoleUrl), {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'x-forwarded-for': address,
        ...(cookie && { cookie }),
        ...(method !== 'GET' && { origin: settings.consoleUrl }),
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
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
  if (value === undefined) throw new Error(`the page has no field ${name}: ${text.slice(0, 500)}`)
  return value
}
