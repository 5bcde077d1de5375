export type ProviderRequest = { method: string; path: string; authorization: string | null; body: unknown }

/** A provider's server for tests of a connector: answers everything so, and keeps what it was asked. `stop` it at the end. */
export function answeringProvider(answer: () => Response | Promise<Response>) {
  const asked: ProviderRequest[] = []
  const server = Bun.serve({
    port: 0,
    // An answer may never come: the server itself must not end the request.
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = request.method === 'POST' ? await request.json() : undefined
      asked.push({ method: request.method, path: `${pathname}${search}`, authorization: request.headers.get('authorization'), body })
      return answer()
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, asked, stop: () => void server.stop(true) }
}
