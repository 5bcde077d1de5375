export type LoadResult = {
  requests: number
  /** How many first tries failed, by what came instead. */
  firstTryFailures: Record<string, number>
  /** Requests that no retry healed: what the contract never allows. */
  lost: string[]
  tasks: string[]
  p50Ms: number
  p99Ms: number
}

const failureShareMax = 0.005

/** Of so many first tries these may fail: 0.5 %, and at least one, which a busy machine may always cost. */
export const firstTryFailuresMax = (requests: number): number => Math.max(1, Math.floor(requests * failureShareMax))

export type FailureFigures = { first_try_failures: number; failed_as: string }

/** What a cluster does every day loses nothing, and a client hardly ever has to ask again. */
export function judgeRoutine({ requests, firstTryFailures, lost }: LoadResult): FailureFigures {
  nothingLost(lost)
  const failed = count(firstTryFailures)
  const max = firstTryFailuresMax(requests)
  if (failed > max) throw new Error(`${failed} of ${requests} first tries failed, ${max} may: ${JSON.stringify(firstTryFailures)}`)
  return figuresOf(firstTryFailures)
}

/** Processes that end without a word: a client may see a lost connection or 503, and its retry with the same key heals each. */
export function judgeDisaster({ firstTryFailures, lost }: LoadResult): FailureFigures {
  nothingLost(lost)
  const forbidden = Object.keys(firstTryFailures).filter(words => !/: (connection|503 )/.test(words))
  if (forbidden.length > 0) throw new Error(`the contract does not allow ${JSON.stringify(forbidden)}`)
  return figuresOf(firstTryFailures)
}

function nothingLost(lost: string[]): void {
  if (lost.length > 0) throw new Error(`not healed by a retry: ${JSON.stringify(lost)}`)
}

const count = (failures: Record<string, number>): number => Object.values(failures).reduce((sum, one) => sum + one, 0)

const figuresOf = (failures: Record<string, number>): FailureFigures => ({
  first_try_failures: count(failures),
  failed_as: JSON.stringify(failures),
})
