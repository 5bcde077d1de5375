import { FilmgateError } from '../error.ts'

/** What is told before a request is sent again. */
export type Retry = { error: FilmgateError; attempt: number; delayMs: number }

export type FilmgateOptions = {
  /** `sk_live_…`; else `FILMGATE_API_KEY`. It is sent to `baseUrl` alone. */
  apiKey?: string | undefined
  /** The address of the API, which ends in /api/v1; else `FILMGATE_URL`. */
  baseUrl?: string | undefined
  /** Instead of the global fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Called before each retry. */
  onRetry?: ((retry: Retry) => void) | undefined
}

/** What all calls of one client share. */
export type Connection = {
  baseUrl: string
  authorization: string
  fetch(url: string, init: RequestInit): Promise<Response>
  onRetry?: ((retry: Retry) => void) | undefined
  /** Whether the API has ever answered: a wrong address is told sooner than an outage. */
  reached: boolean
  /** Reads that the server holds open for this client. */
  held: number
}

export function connect({ apiKey, baseUrl, fetch: send, onRetry }: FilmgateOptions): Connection {
  const key = (apiKey ?? setting('FILMGATE_API_KEY'))?.trim()
  if (!key) throw misconfigured('No API key: set FILMGATE_API_KEY, or give `apiKey`.')
  // A header with other characters would be refused by fetch in words that contain the key.
  if (!/^[\x21-\x7e]+$/.test(key)) throw misconfigured('The API key has characters that no key has.')
  return {
    baseUrl: readBaseUrl(baseUrl ?? setting('FILMGATE_URL')),
    authorization: `Bearer ${key}`,
    // Not detached: a global fetch of workers refuses another `this`.
    fetch: send ?? ((url, init) => fetch(url, init)),
    onRetry,
    reached: false,
    held: 0,
  }
}

function readBaseUrl(text: string | undefined): string {
  if (!text) throw misconfigured('No address of the API: set FILMGATE_URL, or give `baseUrl`. It ends in /api/v1.')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw misconfigured('`baseUrl` (FILMGATE_URL) must be an http or https URL without user, query and fragment. It ends in /api/v1.')
  return url.href.replace(/\/+$/, '')
}

const misconfigured = (message: string) => new FilmgateError({ code: 'invalid_configuration', message })

/** Workers have no environment of a process. */
const setting = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined

/** An id as a part of a path. An empty one, or dots, would name another route. */
export function segment(id: string): string {
  if (typeof id === 'string' && /^[A-Za-z0-9._~-]{1,200}$/.test(id) && !/^\.+$/.test(id)) return id
  throw new FilmgateError({ code: 'invalid_argument', message: 'An id has letters, digits, - and _.' })
}
