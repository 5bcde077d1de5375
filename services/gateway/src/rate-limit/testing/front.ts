import { connect, createServer, type Socket } from 'node:net'

/** An address that stands before one Redis after another, as a service's does after a fail-over. */
export type Front = { url: string; to(port: number | undefined): void; stop(): void }

export async function startFront(port: number): Promise<Front> {
  let target: number | undefined = port
  const open = new Set<Socket>()
  const server = createServer(client => {
    if (target === undefined) return void client.destroy()
    const redis = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('data', bytes => other.write(bytes))
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    to(next) {
      target = next
      for (const socket of open) socket.destroy()
    },
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
