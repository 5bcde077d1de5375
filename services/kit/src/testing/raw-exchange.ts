import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: Record<string, string>; text: string }

/** `closed` by the server; `hung`: it neither answered nor closed in time. `rest` is what came behind the last whole answer. */
export type Exchange = { answers: RawAnswer[]; closed: boolean; hung: boolean; rest: string; ms: number }

export type ExchangeOptions = { timeoutMs?: number; halfClose?: boolean }

/** Sends these bytes as they are and reads until the server closes, or so many final answers have come. */
export function exchange(
  port: number,
  sent: string | Uint8Array,
  answersMin = 1,
  { timeoutMs = 20_000, halfClose = false }: ExchangeOptions = {},
): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  const startedAt = performance.now()
  let received: Buffer = Buffer.alloc(0)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const end = (closed: boolean, hung: boolean) => {
    clearTimeout(timer)
    socket.destroy()
    const { answers, rest } = parseAnswers(received)
    resolve({ answers, closed, hung, rest: rest.toString('latin1').slice(0, 500), ms: performance.now() - startedAt })
  }
  const timer = setTimeout(() => end(false, true), timeoutMs)
  socket.on('connect', () => {
    const bytes = typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
  })
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    if (parseAnswers(received).answers.filter(({ status }) => status >= 200).length >= answersMin) end(false, false)
  })
  socket.on('end', () => end(true, false))
  socket.on('close', () => end(true, false))
  socket.on('error', () => end(true, false))
  return promise
}

/** Whole answers, in order. Of ours each has a length, but those that have no body. */
export function parseAnswers(bytes: Buffer): { answers: RawAnswer[]; rest: Buffer } {
  const answers: RawAnswer[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return { answers, rest }
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    if (rest.length < end + 4 + length) return { answers, rest }
    answers.push({ status: Number(first.split(' ')[1]), headers, text: rest.subarray(end + 4, end + 4 + length).toString() })
    rest = rest.subarray(end + 4 + length)
  }
}
