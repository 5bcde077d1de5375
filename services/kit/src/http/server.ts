import { Elysia } from 'elysia'
import type { Log } from '../telemetry/log'
import { metricsText } from '../telemetry/metrics'

/**
 * Whether each dependency has been seen once. One that goes away later leaves the service ready: a shared backend would take all replicas
 * out of the balancer at once, and clients would read its error page instead of ours.
 */
export type Readiness = { ready(): boolean; missing(): string[]; drain(): void; readonly draining: boolean }

export function createReadiness(waitingFor: Record<string, () => boolean>): Readiness {
  let draining = false
  const unseen = new Map(Object.entries(waitingFor))
  function missing(): string[] {
    for (const [name, seen] of unseen) if (seen()) unseen.delete(name)
    return [...unseen.keys()]
  }
  return {
    ready: () => !draining && missing().length === 0,
    missing,
    drain() {
      draining = true
    },
    get draining() {
      return draining
    },
  }
}

/** /healthz (the process turns) and /readyz (it can serve). */
export const health = (readiness: Readiness) =>
  new Elysia({ name: 'health' })
    .get('/healthz', function healthz() {
      return { status: 'alive' }
    })
    .get('/readyz', function readyz({ set }) {
      if (readiness.ready()) return { status: 'ready' }
      set.status = 503
      return { status: readiness.draining ? 'draining' : 'starting', missing: readiness.missing() }
    })

/** /metrics, for a server that no client reaches. */
export const metrics = () =>
  new Elysia({ name: 'metrics' }).get('/metrics', async function getMetrics({ set }) {
    set.headers['content-type'] = 'text/plain; version=0.0.4; charset=utf-8'
    return metricsText()
  })

export type ServerOptions = {
  // biome-ignore lint/suspicious/noExplicitAny: Elysia's type grows with every route; only listening matters here.
  app: Elysia<any, any, any, any, any, any, any>
  /** The address to listen on; undefined: every one of the machine. */
  host?: string
  port: number
  log: Log
  readiness: Readiness
  /** Longest silence on a connection: the guard against slow clients. A long POST lifts it for itself. 0: the other side ends it. */
  idleTimeoutSeconds?: number
}

export type Server = { port: number; drain(ms: number): Promise<void> }

/** Bodies are counted by who reads them (`request/read-json`); the runtime's own refusal has no ErrorResponse, so its limit is out of reach. */
const runtimeBodyBytesMax = 1_073_741_824

/** On the request: it runs for every route there is, and for what is refused; a hook after handling only for routes added later. */
export const closeWhileDraining = (app: ServerOptions['app'], readiness: Readiness) =>
  app.onRequest(({ set }) => {
    if (readiness.draining) set.headers.connection = 'close'
  })

/** Listens on `port` (0: any free one). */
export function startServer({ app, host, port, log, readiness, idleTimeoutSeconds = 30 }: ServerOptions): Server {
  closeWhileDraining(app, readiness)
  app.listen({ hostname: host, port, idleTimeout: idleTimeoutSeconds, maxRequestBodySize: runtimeBodyBytesMax })
  const bound = app.server
  if (!bound?.port) throw new Error(`could not listen on port ${port}`)
  log.info({ port: bound.port }, 'listening')
  return {
    port: bound.port,
    /** Unready at once; serves on with `Connection: close` for `ms`, so that balancers notice; then waits for what is open. */
    async drain(ms) {
      readiness.drain()
      await Bun.sleep(ms)
      await bound.stop(false)
    },
  }
}
