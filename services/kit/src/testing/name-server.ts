import { createSocket } from 'node:dgram'

const rcodes = { noError: 0, serverFails: 2, noSuchName: 3 } as const
/** An IPv4 address; `noError` is a name without one. */
export type NameReply = keyof typeof rcodes | 'silent' | { address: string }

export type NameServer = { address: string; asked: string[]; stop(): Promise<void> }

/** A name server on a port of its own: it says of each name what `reply` says. */
export async function startNameServer(reply: (name: string) => NameReply): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  // Who has stopped waiting for an answer refuses it, and the socket is told so at its next read.
  socket.on('error', () => undefined)
  socket.on('message', (query, { port, address }) => {
    const name = nameIn(query)
    asked.push(name)
    const answered = reply(name)
    if (answered === 'silent') return
    socket.send(
      typeof answered === 'string' ? withoutRecords(query, rcodes[answered]) : withAddress(query, answered.address),
      port,
      address,
    )
  })
  await new Promise<void>(done => socket.bind(0, '127.0.0.1', done))
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const stop = () => {
    socket.close(resolve)
    return closed
  }
  return { address: `127.0.0.1:${socket.address().port}`, asked, stop }
}

const headerBytes = 12

function withoutRecords(query: Buffer, rcode: number): Buffer {
  const answer = Buffer.from(query)
  answer.writeUInt16BE(0x8180 | rcode, 2)
  return answer
}

const typeA = 1

/** RFC 1035, 4.1: the question alone, then one record that points back at its name. A question for another type is told that there is none. */
function withAddress(query: Buffer, address: string): Buffer {
  const questionEnd = query.indexOf(0, headerBytes) + 5
  const isForA = query.readUInt16BE(questionEnd - 4) === typeA
  const answer = Buffer.from(query.subarray(0, questionEnd))
  answer.writeUInt16BE(0x8180, 2)
  answer.writeUInt16BE(isForA ? 1 : 0, 6)
  answer.writeUInt32BE(0, 8)
  if (!isForA) return answer
  const record = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]
  return Buffer.concat([answer, Buffer.from(record)])
}

function nameIn(query: Buffer): string {
  const labels: string[] = []
  let offset = headerBytes
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return labels.join('.')
}
