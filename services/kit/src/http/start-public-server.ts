import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { serve } from './serve'
import { closeWhileDraining, type Server, type ServerOptions } from './server'

/** As `startServer`, for a service that clients reach: what is no HTTP is answered too, and every answer is an ErrorResponse or none is due. */
export async function startPublicServer({
  app,
  port,
  log,
  readiness,
  idleTimeoutSeconds = 30,
  headMs,
}: ServerOptions & { headMs?: number }): Promise<Server> {
  closeWhileDraining(app, readiness)
  app.compile()
  const server = await serve({ handle: request => app.fetch(request), port, log, idleMs: idleTimeoutSeconds * 1_000, headMs })
  const bound = portOf(server)
  log.info({ port: bound }, 'listening')
  return {
    port: bound,
    async drain(ms) {
      readiness.drain()
      await Bun.sleep(ms)
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}

function portOf(server: HttpServer): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port')
  return address.port
}
