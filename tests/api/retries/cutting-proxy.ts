import { connect, createServer, type Socket } from 'node:net'

/** Where a connection is cut, or held until the client goes: at its head, within its body, behind it, before its answer, within its answer. */
export const places = ['before the body', 'within the body', 'after the body', 'before the answer', 'within the answer'] as const
export type Fault = { place: (typeof places)[number]; how: 'cut' | 'stall' }

type Proxy = { url: string; fail(prompt: string, fault: Fault): void; stop(): Promise<void> }

const stallMsMax = 20_000
const answerBytesShown = 40

/**
 * A TCP proxy before the gateways, in turn. The first request that has a prompt in its body meets its fault; what it sends again passes.
 * One connection carries one request.
 */
export async function startCuttingProxy(targets: () => string[]): Promise<Proxy> {
  const faults = new Map<string, Fault>()
  let turn = 0
  const server = createServer(client => {
    client.on('error', () => client.destroy())
    let held = Buffer.alloc(0)
    const gather = (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      const request = wholeRequest(held)
      if (!request) return
      client.off('data', gather)
      const prompt = [...faults.keys()].find(each => held.includes(each))
      const fault = prompt === undefined ? undefined : faults.get(prompt)
      if (prompt !== undefined) faults.delete(prompt)
      const all = targets()
      pass(client, held, request.bodyAt, all[turn++ % all.length] ?? '', fault)
    }
    client.on('data', gather)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    fail: (prompt, fault) => void faults.set(prompt, fault),
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** Head and body, once both have come. */
function wholeRequest(bytes: Buffer): { bodyAt: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.toString('latin1', 0, end)
  const bodyAt = end + 4
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return bytes.includes('\r\n0\r\n\r\n', bodyAt - 2) ? { bodyAt } : undefined
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  return bytes.length >= bodyAt + length ? { bodyAt } : undefined
}

function pass(client: Socket, request: Buffer, bodyAt: number, target: string, fault: Fault | undefined): void {
  const { hostname, port } = new URL(target)
  const gateway = connect(Number(port), hostname)
  const end = () => {
    client.destroy()
    gateway.destroy()
  }
  gateway.on('error', end)
  client.on('close', () => gateway.destroy())
  const fail = () => {
    if (fault?.how === 'cut') end()
    else setTimeout(end, stallMsMax)
  }
  const sent = {
    'before the body': bodyAt,
    'within the body': bodyAt + Math.floor((request.length - bodyAt) / 2),
  }[fault?.place as 'before the body'] as number | undefined
  gateway.write(withClose(request.subarray(0, sent ?? request.length), bodyAt))
  if (sent !== undefined) return void setTimeout(fail, 20)
  if (fault?.place === 'after the body') return void setTimeout(fail, 20)
  gateway.once('data', (first: Buffer) => {
    if (fault?.place === 'before the answer') return fail()
    if (fault?.place === 'within the answer') {
      client.write(first.subarray(0, answerBytesShown))
      return fail()
    }
    client.write(first)
    gateway.pipe(client)
  })
}

/** The gateway ends the connection behind its answer, so that the next request is another connection with a fault of its own. */
function withClose(bytes: Buffer, bodyAt: number): Buffer {
  const head = bytes
    .toString('latin1', 0, bodyAt - 4)
    .replace(/\r\nconnection: [^\r]*/i, '')
    .concat('\r\nConnection: close\r\n\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes.subarray(bodyAt)])
}
