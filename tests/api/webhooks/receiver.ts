import { createServer, type Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { PythonVerifier } from './python-verifier'

export const kinds = ['good', 'slow', 'flapping', 'lying', 'redirecting', 'dead'] as const
export type Kind = (typeof kinds)[number]

/** One request as it came. `taken`: it was answered with 2xx. */
export type Arrival = { type: string; taskId: string; atMs: number; taken: boolean }

const slowMs = 1_500
/** Back-off doubles: an endpoint that flaps for ever keeps the last few deliveries waiting for hours. */
const refusalsMax = 6

/**
 * A host of endpoints, `/<kind>/<name>`. It speaks HTTP by itself, because a lying one sends what no server would: other lengths than it says,
 * bodies that stop, two answers at once. A redirecting one leads to `/inwards`, where nobody may come.
 */
export async function startReceiver(secretOf: (name: string) => string | undefined, python: PythonVerifier) {
  const arrivals = new Map<string, Arrival[]>()
  const refusals = new Map<string, number>()
  const faults: string[] = []
  const counts = { requests: 0, verified: 0, inwards: 0 }
  let turn = 0

  function receive(socket: Socket, path: string, headers: Record<string, string>, body: string): void {
    counts.requests += 1
    if (path === '/inwards') counts.inwards += 1
    const [, kind = '', name = ''] = path.split('/')
    const secret = secretOf(name)
    if (!secret) return void faults.push(`nobody's endpoint: ${path}`)
    try {
      new Webhook(secret).verify(body, headers)
      counts.verified += 1
      python.add({ secret, body, headers })
    } catch (error) {
      faults.push(`${path}: ${error}`)
    }
    const { type, data } = JSON.parse(body) as { type: string; data: { task: { id: string } } }
    turn += 1
    const known = arrivals.get(name) ?? []
    const delivery = `${name} ${data.task.id} ${type}`
    const refused = refusals.get(delivery) ?? 0
    const flapping = kind === 'flapping' && turn % 2 === 1 && refused < refusalsMax
    if (flapping) refusals.set(delivery, refused + 1)
    const taken = kind === 'good' || kind === 'slow' || kind === 'lying' || (kind === 'flapping' && !flapping)
    arrivals.set(name, known)
    known.push({ type, taskId: data.task.id, atMs: performance.now(), taken })
    answer(socket, kind as Kind, taken, turn)
  }

  const server = createServer(socket => {
    let held: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      const [first = '', ...lines] = held.subarray(0, end).toString().split('\r\n')
      const headers = Object.fromEntries(
        lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      )
      const body = held.subarray(end + 4)
      if (body.length >= Number(headers['content-length'])) receive(socket, first.split(' ')[1] ?? '', headers, body.toString())
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const origin = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  return { origin, arrivals, faults, counts, stop: () => void server.close() }
}

const faultyAnswers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort',
  'HTTP/1.1 202 Accepted\r\nContent-Length: 3\r\n\r\nfar too long, and HTTP/1.1 500 Oops\r\n\r\n',
  'HTTP/1.1 204 No Content\r\nContent-Length: 70\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nno chunk',
  'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\0\0\ud83d',
]

function answer(socket: Socket, kind: Kind, taken: boolean, turn: number): void {
  if (kind === 'dead') return
  if (kind === 'lying') return void socket.end(faultyAnswers[turn % faultyAnswers.length] ?? '')
  if (kind === 'redirecting') return void socket.end('HTTP/1.1 307 Temporary Redirect\r\nLocation: /inwards\r\nContent-Length: 0\r\n\r\n')
  const text = `HTTP/1.1 ${taken ? '200 OK' : '503 Service Unavailable'}\r\nContent-Length: 2\r\n\r\nok`
  if (kind === 'slow') setTimeout(() => socket.end(text), slowMs)
  else socket.end(text)
}
