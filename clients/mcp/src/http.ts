import { createHash, randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FilmgateError } from '@filmgate/client'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createServer } from './server.ts'
import type { Session } from './session.ts'

type Connection = { transport: StreamableHTTPServerTransport; caller: string; usedAt: number }
type Deps = {
  /** The session of an API key, which all connections with that key share, and its budget. */
  sessionOf(apiKey: string): Session
}

const path = '/mcp'
const connectionsMax = 100
const idleMsMax = 3_600_000
const sweepEveryMs = 60_000

/**
 * Streamable HTTP on 127.0.0.1. Each request has its caller's own key as a bearer token: who reaches the port spends nobody else's credits.
 * Other hosts and origins than this server's own are refused, so that no page can reach it by rebinding a name.
 */
export async function serveHttp({ sessionOf }: Deps, port: number) {
  const connections = new Map<string, Connection>()
  const sessions = new Map<string, Session>()
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(error => {
      console.error(error instanceof Error ? error.message : error)
      refuse(response, 500, 'Something went wrong here.')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const own = (server.address() as AddressInfo).port
  const sweep = setInterval(() => {
    for (const { transport, usedAt } of connections.values()) if (Date.now() - usedAt > idleMsMax) void transport.close()
  }, sweepEveryMs)
  sweep.unref()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = foreign(request, own)
    if (fault) return refuse(response, 403, fault)
    if (request.url?.split('?')[0] !== path) return refuse(response, 404, `MCP is at ${path}.`)
    const apiKey = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!apiKey) return refuse(response, 401, 'Send a key of Filmgate: Authorization: Bearer sk_live_….')
    const caller = createHash('sha256').update(apiKey).digest('hex')
    const id = request.headers['mcp-session-id']
    if (id === undefined) return begin(request, response, { apiKey, caller })
    const connection = connections.get(String(id))
    if (connection?.caller !== caller) return refuse(response, 404, 'No such session: initialize a new one.')
    connection.usedAt = Date.now()
    await connection.transport.handleRequest(request, response)
  }

  /** A new session, of a key that works: the transport refuses what does not initialize. */
  async function begin(
    request: IncomingMessage,
    response: ServerResponse,
    { apiKey, caller }: { apiKey: string; caller: string },
  ): Promise<void> {
    if (connections.size >= connectionsMax) return refuse(response, 503, 'Too many sessions are open.')
    const known = sessions.get(caller)
    const session = known ?? sessionOf(apiKey)
    const refused = await session.filmgate.key({ timeoutMs: 10_000 }).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refused instanceof FilmgateError && refused.status === 401) return refuse(response, 401, refused.message)
    if (refused) return refuse(response, 503, 'Filmgate does not answer.')
    sessions.set(caller, sessions.get(caller) ?? session)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void connections.set(id, { transport, caller, usedAt: Date.now() }),
    })
    const mcp = createServer(sessions.get(caller) ?? session)
    await mcp.connect(transport)
    mcp.server.onclose = () => void connections.delete(transport.sessionId ?? '')
    await transport.handleRequest(request, response)
    if (transport.sessionId === undefined) await transport.close()
  }

  return {
    url: `http://127.0.0.1:${own}${path}`,
    async stop() {
      clearInterval(sweep)
      await Promise.all([...connections.values()].map(({ transport }) => transport.close()))
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What is wrong with where a request was sent to, or with the page that sent it. */
export function foreign({ headers }: Pick<IncomingMessage, 'headers'>, port: number): string | undefined {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map(host => `${host}:${port}`)
  if (!hosts.includes(headers.host ?? '')) return `Host must be one of ${hosts.join(', ')}.`
  const { origin } = headers
  if (origin !== undefined && !hosts.includes(origin.replace(/^http:\/\//, ''))) return 'Pages of other origins may not use this server.'
  return undefined
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.end()
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 401 && { 'www-authenticate': 'Bearer' }) })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}
