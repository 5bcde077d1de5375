import type { IncomingMessage } from 'node:http'
import type { ProtocolFault } from './faults'

const hostForm = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/
/** Two of these would be two requests in one (RFC 9112, 11.2). */
const once = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization'])
/** The app finds the path behind the eleventh character, so a shorter host gets the dot that a whole name may end with. */
const hostCharactersMin = 4

/** What was received as the app takes it, or what is wrong with it although its reader took it. `left` is told when the client is gone. */
export function toRequest(message: IncomingMessage, left: AbortController): Request | ProtocolFault {
  const { method = 'GET', headers: known, rawHeaders } = message
  const headers: [string, string][] = []
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index]?.toLowerCase(), rawHeaders[index + 1]]
    if (once.has(name) && seen.has(name)) return 'invalid_http'
    seen.add(name)
    headers.push([name, value])
  }
  const coding = known['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'invalid_http'
  const url = urlOf(message)
  if (url === undefined) return 'invalid_http'
  const hasBody = (coding !== undefined || Number(known['content-length'] ?? 0) > 0) && method !== 'GET' && method !== 'HEAD'
  return new Request(url, { method, headers, signal: left.signal, ...(hasBody && { body: bodyOf(message, left) }) })
}

/** A URL is made of a path by resolving dots and turning backslashes: a proxy that doesn't would publish `/api/v1/../../operator`. */
const ambiguous = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** The path and query as they were sent, at the Host; undefined where either is none. */
function urlOf({ url: target = '', headers: { host }, httpVersionMinor }: IncomingMessage): string | undefined {
  if (host === undefined ? httpVersionMinor > 0 : !hostForm.test(host)) return undefined
  const path = target.startsWith('/') || target === '*' ? target : /^https?:\/\/[^/?#]+([/?].*)?$/i.exec(target)?.[1]
  if (path === undefined || path.includes('#') || ambiguous.test(path.split('?', 1)[0] ?? '')) return undefined
  const url = `http://${(host ?? 'localhost').padEnd(hostCharactersMin, '.')}${path.startsWith('/') ? '' : '/'}${decodable(path)}`
  return URL.canParse(url) ? url : undefined
}

/** Of a segment that is no encoded text the router would make nothing at all; with U+FFFD in it it is what no id is. */
function decodable(target: string): string {
  if (!target.includes('%')) return target
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/').map(segment => (isEncodedText(segment) ? segment : segment.replaceAll(/%([0-9a-f]{2})?/gi, '%EF%BF%BD')))
  return [segments.join('/'), ...query].join('?')
}

function isEncodedText(segment: string): boolean {
  try {
    return typeof decodeURIComponent(segment) === 'string'
  } catch {
    return false
  }
}

/** Read from the connection only as fast as the app reads it. */
function bodyOf(message: IncomingMessage, left: AbortController): ReadableStream<Uint8Array> {
  let ended = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        message.on('data', (chunk: Buffer) => {
          if (!ended) controller.enqueue(new Uint8Array(chunk))
          message.pause()
        })
        message.on('end', () => {
          if (!ended) controller.close()
          ended = true
        })
        const fail = () => {
          if (ended) return
          ended = true
          left.abort()
          controller.error(left.signal.reason)
        }
        message.on('error', fail)
        message.on('close', fail)
        message.pause()
      },
      pull: () => void message.resume(),
      cancel() {
        ended = true
      },
    },
    { highWaterMark: 0 },
  )
}
