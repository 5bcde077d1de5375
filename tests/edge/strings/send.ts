import { exchange } from '@filmgate/kit/testing/raw-exchange'
import { settings } from '../../support/settings'

/** One request with one hostile string in it. */
export type Case = {
  name: string
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  /** Sent as these bytes, because clients don't send such headers. */
  raw?: true
  route: string
}

/** Status 0: the connection was closed without an answer. */
export type Sent = Case & { status: number; text: string; ms: number }

export const operatorHeaders = () => ({ authorization: `Bearer ${settings.operatorToken}`, 'content-type': 'application/json' })

export async function send(one: Case): Promise<Sent> {
  for (;;) {
    const startedAt = performance.now()
    const { status, text } = one.raw ? await sendBytes(one) : await sendByFetch(one)
    // Three generations at once are what an account may have; the fourth is asked for again.
    if (status === 429 && text.includes('unfinished_task_limit')) await Bun.sleep(200)
    else return { ...one, status, text, ms: performance.now() - startedAt }
  }
}

async function sendByFetch({ method, url, headers, body }: Case): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { method, headers, body, keepalive: false, redirect: 'manual', signal: AbortSignal.timeout(60_000) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return { status: 599, text: 'no answer in 60 s' }
    return { status: 0, text: String(error) }
  }
}

async function sendBytes({ method, url, headers, body = '' }: Case): Promise<{ status: number; text: string }> {
  const { host, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers })
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const { answers, hung } = await exchange(Number(port), Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]))
  if (hung) return { status: 599, text: 'neither an answer nor a close' }
  return answers[0] ?? { status: 0, text: '' }
}
