import { pause } from '@filmgate/kit/deadline'

export type PaceOptions = { perSecond: number; waitMsMax: number; now?: () => number }

/**
 * Lets so many calls through in a second, in the order in which they came. Waits for a call's turn, and gives true; or false at once where
 * that turn is further away than `waitMsMax`, so that calls which can't be made pile up nowhere.
 */
export function createPace({ perSecond, waitMsMax, now = () => performance.now() }: PaceOptions) {
  let free = Number.NEGATIVE_INFINITY
  return async (signal: AbortSignal): Promise<boolean> => {
    const turn = Math.max(free, now())
    const waitMs = turn - now()
    if (waitMs > waitMsMax) return false
    free = turn + 1_000 / perSecond
    if (waitMs > 0) await pause(waitMs, signal)
    return true
  }
}
