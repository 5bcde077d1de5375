import { percentile } from './row'

export type Load = { accepted: number; perSecond: number; p50Ms: number; p99Ms: number; refused: Record<string, number> }

/**
 * POSTs from kept connections, each sending its next when it has its answer, for `seconds`. `next` gives head and body of the n-th request of
 * a connection. Raw sockets, so that asking costs little beside answering. Answers must announce their length.
 */
export async function postLoad(
  base: string,
  { connections, seconds, next }: { connections: number; seconds: number; next: (connection: number) => Buffer },
): Promise<Load> {
  const { hostname, port } = new URL(base)
  const latenciesMs: number[] = []
  const refused: Record<string, number> = {}
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000

  const client = (connection: number) =>
    new Promise<void>((resolve, reject) => {
      let answer = Buffer.alloc(0)
      let askedAt = 0
      const ask = (socket: { write(bytes: Buffer): number }) => {
        askedAt = performance.now()
        socket.write(next(connection))
      }
      Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: ask,
          error: (_, error) => reject(error),
          close: () => resolve(),
          data(socket, bytes) {
            answer = answer.length === 0 ? Buffer.from(bytes) : Buffer.concat([answer, bytes])
            const size = sizeOf(answer)
            if (size === undefined || answer.length < size) return
            const status = answer.toString('latin1', 9, 12)
            if (status === '202') latenciesMs.push(performance.now() - askedAt)
            else refused[status] = (refused[status] ?? 0) + 1
            answer = Buffer.alloc(0)
            if (performance.now() < endsAt) ask(socket)
            else socket.end()
          },
        },
      }).catch(reject)
    })

  await Promise.all(Array.from({ length: connections }, (_, index) => client(index)))
  const elapsedMs = performance.now() - startedAt
  return {
    accepted: latenciesMs.length,
    perSecond: (latenciesMs.length * 1_000) / elapsedMs,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    refused,
  }
}

/** Bytes of the whole answer, once its head is there. */
function sizeOf(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error('an answer without a length')
  return end + 4 + Number(length)
}
