import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Elysia } from 'elysia'
import { serve } from './serve'
import { closeWhileDraining, metrics, type Server, type ServerOptions } from './server'

export type PublicServerOptions = Pick<ServerOptions, 'app' | 'log' | 'readiness'> & {
  /** `metricsPort` serves /metrics, which clients don't reach. */
  config: { host?: string; port: number; metricsPort: number; trustedProxies: number }
  idleMs?: number
  headMs?: number
}

const idleMsMax = 30_000

/** As `startServer`, for a service that clients reach: what is no HTTP is answered too, and every answer is an ErrorResponse or none is due. */
export async function startPublicServer(options: PublicServerOptions): Promise<Server & { metricsPort: number }> {
  const { app, config, log, readiness, headMs } = options
  const { host, port, metricsPort, trustedProxies } = config
  // A proxy keeps connections for minutes or an hour; a server that ends an idle one may do so just as a request arrives.
  const { idleMs = trustedProxies > 0 ? 0 : idleMsMax } = options
  closeWhileDraining(app, readiness)
  app.compile()
  const measured = new Elysia().use(metrics()).listen({ hostname: host, port: metricsPort })
  const server = await serve({ handle: request => app.fetch(request), host, port, log, idleMs, headMs })
  const bound = { port: portOf(server), metricsPort: measured.server?.port ?? metricsPort }
  log.info({ metrics_port: bound.metricsPort, port: bound.port }, 'listening')
  return {
    ...bound,
    async drain(ms) {
      readiness.drain()
      await Bun.sleep(ms)
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
      await measured.stop(true)
    },
  }
}

function portOf(server: HttpServer): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port')
  return address.port
}
