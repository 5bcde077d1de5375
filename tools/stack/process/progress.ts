export type Report = (message: string) => void

/** Prints lines with the elapsed seconds, and a heartbeat during slow steps. */
export function startProgress(write: (line: string) => void = line => console.log(line)) {
  const startedMs = performance.now()
  const running = new Map<string, number>()
  const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
  const report: Report = message => write(`[${seconds(startedMs).padStart(7)}] ${message}`)

  const heartbeatMs = 10_000
  const heartbeat = setInterval(() => {
    if (running.size) report(`still running: ${[...running].map(([what, since]) => `${what} (${seconds(since)})`).join(', ')}`)
  }, heartbeatMs)
  heartbeat.unref()

  /** Runs a step that the heartbeat names. */
  async function step<T>(what: string, run: () => Promise<T>): Promise<T> {
    running.set(what, performance.now())
    try {
      return await run()
    } finally {
      running.delete(what)
    }
  }

  return { report, step, elapsed: () => seconds(startedMs), end: () => clearInterval(heartbeat) }
}

export type Progress = ReturnType<typeof startProgress>
