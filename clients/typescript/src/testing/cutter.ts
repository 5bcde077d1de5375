import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Fault = { direction: 'up' | 'down'; afterBytes: number; how: 'cut' | 'stall' }

/**
 * A proxy in front of a port that does one fault: it lets so many bytes through, of all connections together, and then resets that connection or says
 * nothing more on it. All after it is whole. `passed` counts bytes.
 */
export async function startCutter(port: number, fault?: Fault) {
  const sockets = new Set<Socket>()
  const passed = { up: 0, down: 0 }
  let done = fault === undefined
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    let isStalled = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const pass = (direction: 'up' | 'down', to: Socket) => (bytes: Buffer) => {
      if (isStalled) return
      const left = fault && !done && fault.direction === direction ? fault.afterBytes - passed[direction] : Number.POSITIVE_INFINITY
      if (bytes.length <= left) {
        passed[direction] += bytes.length
        to.write(bytes)
        return
      }
      done = true
      passed[direction] += left
      isStalled = true
      const cut = () => (fault?.how === 'cut' ? to.destroy() : undefined)
      if (left > 0) to.write(bytes.subarray(0, left), cut)
      else cut()
    }
    client.on('data', pass('up', upstream))
    upstream.on('data', pass('down', client))
    client.on('end', () => !isStalled && upstream.end())
    upstream.on('end', () => !isStalled && client.end())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    passed,
    happened: () => done,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
