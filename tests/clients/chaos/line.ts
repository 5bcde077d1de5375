import { connect, createServer, type Socket } from 'node:net'

export type Fault = {
  /** `up` is from the client. */
  direction: 'up' | 'down'
  /** Of this direction, over all connections, since the last fault. */
  afterBytes: number
  /** A stall holds the connection and cuts it; a pause holds it and goes on. */
  how: 'cut' | 'stall' | 'pause'
}

export type FaultyLine = { url: string; bytes: { up: number; down: number }; faults: number; stop(): Promise<void> }

const heldMs = 2_000

/** A TCP proxy before `targets`, in turn. `nextFault` names the first fault, and the next one whenever one has happened. */
export async function startLine(targets: () => string[], nextFault: () => Fault | undefined, port = 0): Promise<FaultyLine> {
  let fault = nextFault()
  let turn = 0
  const sinceFault = { up: 0, down: 0 }
  const open = new Set<Socket>()
  const server = createServer(client => {
    const all = targets()
    const { hostname, port } = new URL(all[turn++ % all.length] ?? '')
    const target = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      target.destroy()
    }
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', end)
      socket.on('close', () => open.delete(socket) && end())
    }
    const carry = (from: Socket, to: Socket, direction: Fault['direction']) =>
      from.on('data', (chunk: Buffer) => {
        line.bytes[direction] += chunk.length
        const bytesLeft = fault?.direction === direction ? fault.afterBytes - sinceFault[direction] : Infinity
        sinceFault[direction] += chunk.length
        if (!fault || chunk.length < bytesLeft) return void to.write(chunk)
        const { how } = fault
        line.faults += 1
        fault = nextFault()
        sinceFault.up = sinceFault.down = 0
        to.write(chunk.subarray(0, bytesLeft))
        if (how === 'cut') return void to.end(end)
        from.pause()
        setTimeout(() => {
          if (how === 'stall') return end()
          to.write(chunk.subarray(bytesLeft))
          from.resume()
        }, heldMs)
      })
    carry(client, target, 'up')
    carry(target, client, 'down')
    // An answer that ends with its connection is whole once all of it is written.
    target.on('end', () => client.end())
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const line: FaultyLine = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    bytes: { up: 0, down: 0 },
    faults: 0,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
  return line
}
