import { type AddressInfo, connect, createServer } from 'node:net'

export type Balancer = { url: string; add(port: number): void; remove(port: number): void; stop(): void }

/**
 * One address of several servers on this machine, as a Service of a cluster: each new connection goes to the next of them; those that are open
 * stay where they are.
 */
export async function startBalancer(): Promise<Balancer> {
  let ports: number[] = []
  let turn = 0
  const server = createServer({ allowHalfOpen: true }, inward => {
    const outward = connect({ host: '127.0.0.1', port: ports[turn++ % ports.length] ?? 0, allowHalfOpen: true })
    inward.pipe(outward)
    outward.pipe(inward)
    inward.on('error', () => outward.destroy())
    outward.on('error', () => inward.destroy())
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: port => void ports.push(port),
    remove(port) {
      ports = ports.filter(each => each !== port)
    },
    stop: () => void server.close(),
  }
}
