import { pause } from '../../deadline'

const servedTimeoutMs = 30_000

/** Asks until the broker's answer no longer rejects: it tells of a change a moment after the controller made it. */
export async function untilServed(ask: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + servedTimeoutMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await pause(50)
    }
  }
}
