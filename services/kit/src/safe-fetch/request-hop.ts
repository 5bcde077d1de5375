import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { Failure } from '../failure'
import type { Target } from './check-url'
import type { FetchLimits, FetchReason } from './fetch-policy'

export type Hop = { request: ClientRequest; response: IncomingMessage }

/** What may end a fetch early: `signal` is aborted by its total deadline or by the caller's own signal. */
export type Ending = { signal: AbortSignal; caller: AbortSignal | undefined }

/**
 * One GET to exactly this address, the name going into SNI, the certificate check and Host only. No connection is kept or
 * shared, no redirect followed, nothing decompressed. node:https, because fetch ignores a chosen address's name here.
 */
export async function requestHop(target: Target, address: string, limits: FetchLimits, ending: Ending): Promise<Hop> {
  const { signal } = ending
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const secure = target.url.protocol === 'https:'
  const request = (secure ? https : http).request({
    host: address,
    port: target.port,
    path: `${target.url.pathname}${target.url.search}`,
    method: 'GET',
    agent: false,
    maxHeaderSize: limits.headerBytesMax,
    headers: { host: target.url.host, accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'filmgate/1' },
    ...(secure && { servername: isIP(target.host) ? '' : target.host, ...(target.trusted?.ca && { ca: target.trusted.ca }) }),
  })
  let connected = false
  const connecting = setTimeout(
    () => request.destroy(new Failure<FetchReason>('unreachable', { internal: 'connect timed out' })),
    limits.connectTimeoutMs,
  )
  const answering = setTimeout(
    () => request.destroy(new Failure<FetchReason>('timed_out', { internal: 'no headers in time' })),
    limits.headersTimeoutMs,
  )
  const interrupt = () => request.destroy(abortFailure(ending))
  signal.addEventListener('abort', interrupt)
  request.on('socket', socket =>
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      connected = true
      clearTimeout(connecting)
    }),
  )
  request.on('response', resolve)
  // Stays for the life of the request: an error after the headers reaches the body's reader through the response.
  request.on('error', error => reject(asFailure(error, connected)))
  if (signal.aborted) interrupt()
  request.end()
  try {
    return { request, response: await promise }
  } finally {
    clearTimeout(connecting)
    clearTimeout(answering)
    signal.removeEventListener('abort', interrupt)
  }
}

/** By identity, not by the reason's name: a caller's signal may be a timeout too, and that one is no fault of the other side. */
export function abortFailure({ signal, caller }: Ending): Failure<FetchReason> {
  return new Failure<FetchReason>(caller?.aborted ? 'interrupted' : 'timed_out', { cause: signal.reason })
}

const tlsCodes = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|ERR_OSSL)/

function asFailure(error: NodeJS.ErrnoException, connected: boolean): Failure<FetchReason> {
  if (error instanceof Failure) return error as Failure<FetchReason>
  if (error.code?.startsWith('HPE_')) return new Failure<FetchReason>('answer_invalid', { cause: error })
  if (tlsCodes.test(error.code ?? '')) return new Failure<FetchReason>('tls_failed', { cause: error })
  if (connected) return new Failure<FetchReason>('answer_invalid', { cause: error, internal: 'closed before the headers' })
  return new Failure<FetchReason>('unreachable', { cause: error, internal: 'no connection' })
}
