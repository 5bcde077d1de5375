const lookEveryMs = 50

/** Looks until `look` gives something; gives up after `timeoutMs` with what is being waited for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  timeoutMs = 120_000,
  everyMs = lookEveryMs,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await Bun.sleep(everyMs)
  }
}

/** What the work came to and how long that took. */
export async function timed<T>(work: Promise<T>): Promise<{ answer: T; ms: number }> {
  const from = performance.now()
  return { answer: await work, ms: performance.now() - from }
}
