/** Requests a second that `connections` kept connections get from a URL in `seconds`. */
export async function throughput(url: string, options: ThroughputOptions = {}): Promise<number> {
  const startedAt = performance.now()
  const answered = await askOn(url, options)
  return (answered * 1_000) / (performance.now() - startedAt)
}

/**
 * Answers that `connections` kept connections get from a URL in `seconds`, each asking again when it has its answer. Raw sockets, so
 * that the asking costs little beside the answering. Any answer but 200 with a length is an error.
 */
export async function askOn(url: string, { headers = {}, connections = 16, seconds = 3 }: ThroughputOptions = {}): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`)
  let answered = 0
  const until = performance.now() + seconds * 1_000

  const ask = () =>
    new Promise<void>((resolve, reject) => {
      let missing = 0
      let head = Buffer.alloc(0)
      void Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: socket => void socket.write(request),
          error: (_, error) => reject(error),
          close: () => resolve(),
          data(socket, bytes) {
            if (missing === 0) {
              head = Buffer.concat([head, bytes])
              const size = sizeOf(head)
              if (size === undefined) return
              if (size < 0) return reject(new Error(head.toString().slice(0, 200)))
              missing = size - head.length
              head = Buffer.alloc(0)
            } else missing -= bytes.length
            if (missing > 0) return
            answered += 1
            if (performance.now() < until) socket.write(request)
            else socket.end()
          },
        },
      }).catch(reject)
    })
  await Promise.all(Array.from({ length: connections }, ask))
  return answered
}

type ThroughputOptions = { headers?: Record<string, string>; connections?: number; seconds?: number }

/** The bytes of the whole answer once its head is there; -1 where it is none to count. */
function sizeOf(head: Buffer): number | undefined {
  const end = head.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const text = head.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return text.startsWith('HTTP/1.1 200') && length !== undefined ? end + 4 + Number(length) : -1
}
