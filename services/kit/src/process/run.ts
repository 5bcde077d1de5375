import { ConfigError } from '../environment/variables'
import type { Log } from '../telemetry/log'

/** Something started that must be stopped; stopped in the reverse order of starting. */
export type Component = { name: string; stop(): Promise<unknown> }

/** After a fault nobody handled: enough to give jobs back and say goodbye to the broker, too little to be stuck in. */
const faultStopMs = 10_000

/**
 * The life of a service: starts it, stops its components in reverse order on SIGTERM or SIGINT, and leaves with a sentence where the
 * environment is wrong. `stopTimeoutMs` bounds the whole stop; what is cut off then is at-least-once work that another replica redoes.
 * An error that nobody handled ends it likewise, with 1: what it interrupted is unknown, and a restart is what everything here survives.
 */
export async function runService(
  log: Pick<Log, 'info' | 'error' | 'fatal'>,
  start: () => Promise<Component[]>,
  stopTimeoutMs = 290_000,
): Promise<void> {
  let components: Component[] = []
  let stopping = false
  const stop = async (status: number, timeoutMs: number) => {
    stopping = true
    setTimeout(() => {
      log.error({ stopTimeoutMs: timeoutMs }, 'components did not stop in time')
      process.exit(1)
    }, timeoutMs)
    for (const component of components.toReversed()) {
      await component.stop().catch(error => log.error({ err: error, component: component.name }, 'component did not stop cleanly'))
    }
    log.info({}, 'stopped')
    process.exit(status)
  }
  const fail = (words: string) => (error: unknown) => {
    log.fatal({ err: error }, words)
    if (!stopping) void stop(1, Math.min(faultStopMs, stopTimeoutMs))
  }
  const end = (signal: string) => {
    if (stopping) return
    log.info({ signal }, 'stopping')
    void stop(0, stopTimeoutMs)
  }
  process.on('uncaughtException', fail('uncaught exception'))
  process.on('unhandledRejection', fail('unhandled rejection'))
  components = await start()
  process.on('SIGTERM', () => end('SIGTERM'))
  process.on('SIGINT', () => end('SIGINT'))
}

/** Reads the configuration or leaves with status 78 (EX_CONFIG) and every fault on standard error. */
export function configOrExit<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}
