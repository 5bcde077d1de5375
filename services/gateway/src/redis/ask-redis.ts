import { withDeadline } from '@filmgate/kit/deadline'

/** A loaded machine delays an answer by less. */
const answerMsMax = 500
const retryEveryMs = 1_000

export type AskRedis = ReturnType<typeof createAskRedis>

/**
 * Asks Redis without having requests wait for one that is lost: not connected, answering with errors, or silent for `answerMsMax`. The
 * request that notices waits so long. Then one request a second asks, and the first answer ends the loss.
 */
export function createAskRedis() {
  /** Set while Redis does not answer. */
  let askAtMs: number | undefined

  return {
    isLost: (): boolean => askAtMs !== undefined,
    /** Whether a request may ask: of those during a loss, one a second. */
    mayAsk(): boolean {
      if (askAtMs === undefined) return true
      const now = performance.now()
      if (now < askAtMs) return false
      askAtMs = now + retryEveryMs
      return true
    },
    /** The answer; rejects where Redis is lost. */
    async ask<T>(answer: Promise<T>): Promise<T> {
      try {
        const told = await withDeadline(answer, answerMsMax, 'Redis')
        askAtMs = undefined
        return told
      } catch (error) {
        askAtMs = performance.now() + retryEveryMs
        throw error
      }
    },
  }
}
