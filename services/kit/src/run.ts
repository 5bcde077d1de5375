import { ConfigError } from './config'
import type { Log } from './log'

/** Something started that must be stopped; stopped in the reverse order of starting. */
export type Part = { name: string; stop(): Promise<unknown> }

/**
 * The life of a service: starts it, stops its parts in reverse order on SIGTERM or SIGINT, and leaves with a sentence where the
 * environment is wrong. `stopTimeoutMs` bounds the whole stop; what is cut off then is at-least-once work that another replica redoes.
 */
export async function runService(log: Pick<Log, 'info' | 'error'>, start: () => Promise<Part[]>, stopTimeoutMs = 290_000): Promise<void> {
  const parts = await start()
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const timer = setTimeout(() => {
      log.error({ stopTimeoutMs }, 'parts did not stop in time')
      process.exit(1)
    }, stopTimeoutMs)
    for (const part of parts.toReversed()) {
      await part.stop().catch(error => log.error({ err: error, part: part.name }, 'part did not stop cleanly'))
    }
    clearTimeout(timer)
    log.info({}, 'stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('unhandledRejection', error => log.error({ err: error }, 'unhandled rejection'))
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
