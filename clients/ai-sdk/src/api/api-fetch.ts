export type Fetch = (url: string, init: RequestInit) => Promise<Response>
export type LastAnswer = { url: string; headers: Record<string, string> }

/** Headers that the client sets itself. Who calls may not send another key, or a request under another key than it is retried by. */
const own = new Set(['authorization', 'idempotency-key', 'content-type', 'content-length', 'host'])

/**
 * A fetch that adds a call's headers to requests below `addresses`, and to nothing else: uploads and videos are elsewhere. `last` tells
 * which of its answers came last.
 */
export function apiFetch({
  fetch,
  addresses,
  headers,
}: {
  fetch: Fetch
  addresses: string[]
  headers: Record<string, string | undefined>
}) {
  const added = Object.entries(headers).filter(([name, value]) => value !== undefined && !own.has(name.toLowerCase()))
  let last: LastAnswer | undefined
  async function send(url: string, init: RequestInit): Promise<Response> {
    if (!addresses.some(address => url.startsWith(`${address}/`))) return fetch(url, init)
    const all = new Headers(init.headers)
    for (const [name, value] of added) all.set(name, value ?? '')
    const answer = await fetch(url, { ...init, headers: all })
    last = { url, headers: Object.fromEntries(answer.headers) }
    return answer
  }
  return { fetch: send, last: () => last }
}
