import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import { Failure } from '../../failure'
import type { Target } from '../check-url'
import type { FetchLimits, FetchReason } from '../fetch-policy'
import type { Ending } from './ending'

/** One connection's bytes. What ends it first is what every read is told, whether or not the runtime says a word about it. */
export type Wire = {
  write(text: string): void
  /** The next bytes; undefined once the other side has sent its last. */
  read(): Promise<Buffer | undefined>
  /** Ends it with a reason: a read that waits, and every later one, throws it. */
  end(failure: Error): void
  /** Lets go of the socket. Done twice, it does the same. */
  close(): void
}

/** Connects to exactly this address, the name going into SNI and the certificate check only. Throws Failure<FetchReason>. */
export async function openWire(target: Target, address: string, limits: FetchLimits, ending: Ending): Promise<Wire> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = ending.failure()
  if (ended) throw ended
  const secure = target.url.protocol === 'https:'
  const socket = secure ? connectTls(target, address) : net.connect({ host: address, port: target.port })
  const wire = createWire(socket, ending, reject)
  const late = (words: string) => wire.end(new Failure<FetchReason>('unreachable', { internal: words }))
  let timer = setTimeout(() => late('connect timed out'), limits.connectTimeoutMs)
  socket.once('connect', () => {
    if (!secure) return resolve()
    clearTimeout(timer)
    timer = setTimeout(() => late('TLS handshake timed out'), limits.handshakeTimeoutMs)
  })
  socket.once('secureConnect', () => resolve())
  try {
    await promise
    return wire
  } catch (error) {
    wire.close()
    throw asConnectFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

const connectTls = ({ host, port, trusted }: Target, address: string) =>
  tls.connect({
    ...{ host: address, port, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'] },
    checkServerIdentity: (_, certificate) => listedIdentity(host, certificate),
    ...(trusted?.ca && { ca: trusted.ca }),
  })

/** The runtime takes the subject for a name where no names are listed; no authority has vouched for it as one (RFC 9525, 2.1). */
function listedIdentity(host: string, certificate: tls.PeerCertificate): Error | undefined {
  if (isIP(host) || /(?:^|, ?)DNS:/.test(certificate.subjectaltname ?? '')) return tls.checkServerIdentity(host, certificate)
  return Object.assign(new Error('the certificate lists no name'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
}

/** Bytes are held back while nobody reads, so that a slow reader slows the sender and not this process. */
function createWire(socket: Socket, ending: Ending, onFailure: (error: Error) => void): Wire {
  const held: Buffer[] = []
  let waiting: PromiseWithResolvers<Buffer | undefined> | undefined
  let failure: Error | undefined
  let over = false
  let forget = () => {}

  function end(error: Error) {
    failure ??= error
    close()
    onFailure(failure)
    waiting?.reject(failure)
    waiting = undefined
  }
  function close() {
    forget()
    socket.destroy()
  }
  // These stay for the socket's life: an error that comes after the answer has nobody else to go to.
  socket.on('error', end)
  socket.on('data', (chunk: Buffer) => {
    socket.pause()
    if (waiting) waiting.resolve(chunk)
    else held.push(chunk)
    waiting = undefined
  })
  socket.on('end', () => {
    over = true
    waiting?.resolve(undefined)
    waiting = undefined
    onFailure(new Error('ended before it was open'))
  })
  socket.on('close', () => {
    if (!over) end(new Error('closed without an end'))
  })
  forget = ending.watch(end)
  return {
    write: text => void socket.write(text),
    async read() {
      const chunk = held.shift()
      if (chunk) return chunk
      if (failure) throw failure
      if (over) return undefined
      waiting = Promise.withResolvers()
      socket.resume()
      return waiting.promise
    },
    end,
    close,
  }
}

const tlsCodes = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|ERR_OSSL)/

function asConnectFailure(error: unknown): Failure<FetchReason> {
  if (error instanceof Failure) return error as Failure<FetchReason>
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (tlsCodes.test(code)) return new Failure<FetchReason>('tls_failed', { cause: error })
  return new Failure<FetchReason>('unreachable', { cause: error, internal: 'no connection' })
}
