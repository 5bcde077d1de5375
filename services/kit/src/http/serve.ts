import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../telemetry/log'
import { counter } from '../telemetry/metrics'
import { errorBody } from './render-error'
import { readStart, writeRest } from './wire/answer-body'
import { faultOf, type ProtocolFault, protocolFaults } from './wire/faults'
import { toRequest } from './wire/to-request'

export type ServeOptions = {
  handle(request: Request): Response | Promise<Response>
  host?: string
  port: number
  log: Log
  /** How long a connection may be silent between two requests; 0: the other side ends it. */
  idleMs: number
  /** How long a head may take to come. */
  headMs?: number
}

const headBytesMax = 16_384
/** The runtime itself ends a connection without a word 12 s after it began where its first head has not come: ours is told well before. */
const headMsMax = 6_000
/** Longer than whoever reads a body gives it (`request/read-json`), so that the answer is the reader's. */
const requestMs = 60_000
const lookEveryMs = 500

/** Unless a route says otherwise, no cache keeps an answer, and no browser takes it for another type than it says. */
const answerHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const faults = counter('http_protocol_faults', 'Requests that were no HTTP, and were refused before any route', {
  fault: Object.keys(protocolFaults),
})
const peers = new WeakMap<Request, string>()

/** Whoever sends more before the first is answered gets no answer to those: without a bound one connection could fill the memory. */
const pipelinedMax = 32
const inFlight = new WeakMap<Socket, number>()

/** The address that a request came from: the client's, or a proxy's. */
export const peerOf = (request: Request): string | undefined => peers.get(request)

/**
 * HTTP for clients: the runtime's node:http, which answers pipelined requests in order, takes trailers and leaves what is no HTTP to us to
 * answer; its Bun.serve does none of that. It costs 26 µs of CPU a request more. Bun.serve (1.4.5) closes a connection that
 * pipelines, loses the answer to a body with trailers, and sends 400, 413 and 431 without a body.
 */
export function serve({ handle, host, port, log, idleMs, headMs = headMsMax }: ServeOptions): Promise<Server> {
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: headBytesMax,
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: lookEveryMs,
    keepAliveTimeout: idleMs,
  })
  const answer = (message: IncomingMessage, response: ServerResponse) =>
    void answerRequest({ handle, log }, message, response).catch(error => {
      log.error({ err: error, method: message.method }, 'request failed')
      response.destroy()
    })
  server.on('request', answer)
  server.on('checkExpectation', ({ socket }: IncomingMessage, response: ServerResponse) =>
    refuse(response, refusal(log, 'expectation_failed', socket)),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const fault = faultOf(error.code)
    if (fault === undefined || !socket.writable) return void socket.destroy()
    socket.end(refusalBytes(log, fault, socket))
  })
  server.on('connect', (_: IncomingMessage, socket: Socket) => socket.end(refusalBytes(log, 'invalid_http', socket)))
  return listening(server, { host, port })
}

function listening(server: Server, address: { host?: string; port: number }): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', reject)
  server.listen(address, () => resolve(server))
  return promise
}

async function answerRequest(
  { handle, log }: Pick<ServeOptions, 'handle' | 'log'>,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { socket } = message
  const others = inFlight.get(socket) ?? 0
  // The one that was refused is the last that is answered.
  if (others > pipelinedMax) return
  inFlight.set(socket, others + 1)
  if (others === pipelinedMax) {
    socket.pause()
    return refuse(response, refusal(log, 'too_many_pipelined', socket))
  }
  const left = new AbortController()
  response.on('close', () => {
    inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1)
    if (!response.writableFinished) left.abort()
  })
  const request = toRequest(message, left)
  if (typeof request === 'string') return refuse(response, refusal(log, request, socket))
  peers.set(request, socket.remoteAddress ?? '')
  const answer = await handle(request)
  const { whole, parts } = await readStart(answer.body)
  const headers: Record<string, string | number | string[]> = { ...answerHeaders }
  for (const [name, value] of answer.headers) headers[name] = value
  // Each cookie is a header of its own (RFC 6265, 3): joined by commas a browser reads one.
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (whole && answer.status !== 204 && answer.status !== 304) headers['content-length'] = whole.byteLength
  // What is left of a body that nobody read would be taken for the next request, or be read to its end for nothing.
  if (!message.complete) headers.connection = 'close'
  response.writeHead(answer.status, headers)
  if (whole) response.end(whole)
  else await writeRest(response, parts)
}

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers)
  response.end(body)
}

function refusalBytes(log: Log, fault: ProtocolFault, socket: Socket): string {
  const { status, headers, body } = refusal(log, fault, socket)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${fault}\r\n${lines.join('')}\r\n${body}`
}

type Refusal = ReturnType<typeof refusal>

/** What is no request has no trace: its id is its own, and stands in the log where a trace's does. */
function refusal(log: Log, fault: ProtocolFault, { remoteAddress }: Socket) {
  const requestId = randomBytes(16).toString('hex')
  faults.add(1, { fault })
  log.info({ trace_id: requestId, fault, address: remoteAddress }, 'malformed HTTP request rejected')
  const [status, words] = protocolFaults[fault]
  const body = JSON.stringify(errorBody(fault, words))
  const headers = {
    ...answerHeaders,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }
  return { status, headers, body }
}
