import { pause } from '../deadline'
import type { Log } from '../telemetry/log'

export type Repeating = { stop(): Promise<void> }

/** Does `work` every `ms` until stopped; what it throws is logged and tried again. */
export function every(ms: number, work: () => Promise<unknown>, { log, name }: { log: Log; name: string }): Repeating {
  const stopping = new AbortController()
  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await work().catch(error => log.warn({ err: error, work: name }, 'periodic work failed, retrying'))
      await pause(ms, stopping.signal)
    }
  }
  const repeating = repeat()
  return {
    async stop() {
      stopping.abort()
      await repeating
    },
  }
}
