import { pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/log'
import { type RetellDeps, retellSilent } from './retell'

export type RetellingDeps = RetellDeps & {
  log: Log
  /** False while the broker does not answer: what is told then would only lie in the outbox. */
  lineOpen(): boolean
  retellAfterMs: number
  retellEveryMs: number
}

/** Of one round: a long outage must not send everything that waits down the line at once. */
const rowsMax = 200
const waitMsMax = 86_400_000

/** Looks for tasks that stand still until stopped; what is not done now is done in the next round, here or at another replica. */
export function startRetelling(deps: RetellingDeps): { stop(): Promise<void> } {
  const { log, lineOpen, retellAfterMs: afterMs, retellEveryMs } = deps
  const stopping = new AbortController()

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(retellEveryMs, stopping.signal)
      if (stopping.signal.aborted || !lineOpen()) continue
      const told = await retellSilent(deps, { afterMs, waitMsMax, rowsMax }).catch(error => {
        log.warn({ err: error }, 'silent tasks not told again now')
        return 0
      })
      if (told > 0) log.warn({ tasks: told }, 'nothing was heard of these tasks for long: told again')
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
