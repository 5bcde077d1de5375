import { type Answer, parsed } from '../client/api'
import { settings } from '../settings'

type Service = 'gateway' | 'ledger' | 'media-probe' | 'dispatcher' | 'webhooks'

/** Whoever is not named in a body. */
const operatorOfTests = 'ada'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call to a service's /operator routes; anything but success is an error. */
export async function operate<T>(service: Service, method: Method, path: string, body?: unknown): Promise<T> {
  const { status, text } = await askOperator(service, method, path, body)
  if (status >= 400) throw new Error(`${service} ${method} ${path}: ${status} ${text}`)
  return JSON.parse(text || 'null')
}

/** The same with whatever it answers. */
export async function askOperator(service: Service, method: Method, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${settings.serviceUrls[service]}/operator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${settings.operatorToken}`,
      'content-type': 'application/json',
      ...(!named(body) && { 'x-filmgate-operator': operatorOfTests }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
    keepalive: false,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parsed(text) }
}

const named = (body: unknown): boolean => typeof body === 'object' && body !== null && 'by' in body

/** What the auditor finds wrong with the money when it looks at all of it; empty when it is whole. */
export const audit = async (): Promise<unknown[]> => (await operate<{ findings: unknown[] }>('ledger', 'POST', '/audit?full=true')).findings

export type LedgerTask = {
  reservation: { state: string; credits: number; refunded: number } | null
  entries: { kind: string; book: string; credits: number }[]
}
export const ledgerTask = (taskId: string) => operate<LedgerTask>('ledger', 'GET', `/tasks/${taskId}`)

export type Attempts = {
  attempts: {
    id: string
    state: string
    providerTaskId: string | null
    cause: string | null
    poster_url: string | null
    delivery: { shortfalls: string[]; [fact: string]: unknown } | null
    due_credits: number | null
  }[]
}
export const attemptsOf = async (taskId: string) => (await operate<Attempts>('dispatcher', 'GET', `/tasks/${taskId}`)).attempts
