export type RecordedRequest = {
  method: string
  path: string
  search: string
  query: URLSearchParams
  headers: Headers
  person: string | null
  operator: string | null
  accept: string | null
  body: unknown
}
type Answer = unknown | Response
type Route = (seen: RecordedRequest, params: Record<string, string>) => Answer

export type FakeGateway = Awaited<ReturnType<typeof startFakeGateway>>

export const fakeGatewayToken = 'the-console-token-of-a-test'

/** An HTTP server with the gateway's internal API. A route is `METHOD /path/:name`; everything else is 404. */
export async function startFakeGateway() {
  const routes = new Map<string, Route>()
  const seen: RecordedRequest[] = []
  async function fetch(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url)
    if (request.headers.get('authorization') !== `Bearer ${fakeGatewayToken}`) return refusal(401, 'console_token_required')
    const path = pathname.replace(/^\/console/, '')
    const text = await request.text()
    const operator = request.headers.get('x-filmgate-operator')
    const one: RecordedRequest = {
      method: request.method,
      path,
      search,
      query: searchParams,
      headers: request.headers,
      person: request.headers.get('x-filmgate-person'),
      operator: operator && decodeURIComponent(operator),
      accept: request.headers.get('accept'),
      body: text === '' ? undefined : JSON.parse(text),
    }
    seen.push(one)
    for (const [name, route] of routes) {
      const params = match(name, `${request.method} ${path}`)
      if (!params) continue
      const answer = await route(one, params)
      return answer instanceof Response ? answer : Response.json(answer)
    }
    return refusal(404, 'not_found')
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  return {
    url: `http://127.0.0.1:${server.port}`,
    seen,
    /** A later definition replaces an earlier one. */
    on(name: string, route: Route | object): void {
      routes.set(name, typeof route === 'function' ? (route as Route) : () => route)
    },
    stop: () => server.stop(true),
  }
}

export const refusal = (status: number, code: string, message = `refused: ${code}`, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code, message } }, { status, headers })

function match(name: string, asked: string): Record<string, string> | undefined {
  const pattern = new RegExp(`^${name.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
  const found = pattern.exec(asked)
  return found ? { ...found.groups } : undefined
}
