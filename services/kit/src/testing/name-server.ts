import { createSocket } from 'node:dgram'

const rcodes = { noError: 0, serverFails: 2, noSuchName: 3 } as const
export type NameReply = keyof typeof rcodes | 'silent'

export type NameServer = { address: string; asked: string[]; stop(): Promise<void> }

/** A name server on a port of its own that knows no address: it says of each name what `reply` says. */
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
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8180 | rcodes[answered], 2)
    socket.send(answer, port, address)
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

function nameIn(query: Buffer): string {
  const labels: string[] = []
  let offset = headerBytes
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return labels.join('.')
}
