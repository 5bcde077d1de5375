export type Answer<Body> = { status: number; retryAfter: string | null; body: Body }
export type ErrorBody = { error?: { code: string } | null }
/** What came of a request: its answer, or the words of what no retry healed; and those of a first try that failed. */
export type Persisted<Body> = { body?: Body; lost?: string; firstTryFailure?: string; firstTryMs?: number }

export type Clock = { nowMs(): number; sleep(ms: number): Promise<unknown> }
const realClock: Clock = { nowMs: () => performance.now(), sleep: ms => Bun.sleep(ms) }

/** Longer than a pod takes to be replaced, and recovery mode in a drill, on a machine that has much else to do. */
const healTimeoutMs = 300_000
const retryMs = 250

/**
 * Sends a request until it is answered as it should be, as the contract tells clients to: after a lost connection, a 503 or a refusal
 * with Retry-After, and not before the seconds that it names. Anything else is lost at once.
 */
export async function persist<Body extends ErrorBody>(
  wanted: readonly number[],
  attempt: () => Promise<Answer<Body>>,
  { nowMs, sleep }: Clock = realClock,
): Promise<Persisted<Body>> {
  const startedMs = nowMs()
  let firstTry: Pick<Persisted<Body>, 'firstTryFailure'> = {}
  let failedMs: number | undefined
  for (;;) {
    const outcome = await attempt().then(
      answer => (wanted.includes(answer.status) ? answer : refusalOf(answer)),
      (error: Error): Refusal => ({ words: `connection: ${error.message}`, retryAfterMs: retryMs }),
    )
    if (!('words' in outcome))
      return { body: outcome.body, ...firstTry, ...(failedMs === undefined ? { firstTryMs: nowMs() - startedMs } : {}) }
    const { words, retryAfterMs } = outcome
    if (failedMs === undefined) firstTry = { firstTryFailure: words }
    failedMs ??= nowMs()
    if (retryAfterMs === undefined || nowMs() - failedMs > healTimeoutMs) return { lost: words, ...firstTry }
    await sleep(retryAfterMs)
  }
}

type Refusal = { words: string; retryAfterMs: number | undefined }

function refusalOf({ status, retryAfter, body }: Answer<ErrorBody>): Refusal {
  // A proxy that reaches no pod says 503 without a time.
  const namedMs = retryAfterMsOf(retryAfter) ?? (status === 503 ? 0 : undefined)
  return { words: `${status} ${body.error?.code ?? ''}`, retryAfterMs: namedMs === undefined ? undefined : Math.max(retryMs, namedMs) }
}

/** Whole seconds, as the contract has them. */
export function retryAfterMsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined
}
