import { pause } from '../deadline'

export type ClaimLoopOptions = {
  /** How many more this process can take at this moment. */
  room(): number
  /** Takes up to `limit` and begins work on them; answers how many there were. Never rejects. */
  claim(limit: number): Promise<number>
  /** How long after a claim that found fewer than it could take, unless `wake` is called. */
  pollEveryMs: number
}

export type ClaimLoop = { wake(): void; stop(): Promise<void> }

/** Claims as long as there is room and something to take, then looks again every `pollEveryMs`, or when woken, until stopped. */
export function startClaimLoop({ room, claim, pollEveryMs }: ClaimLoopOptions): ClaimLoop {
  const stopping = new AbortController()
  let woken = new AbortController()

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      woken = new AbortController()
      const limit = room()
      const claimed = limit > 0 ? await claim(limit) : 0
      if (claimed < limit || limit <= 0) await pause(pollEveryMs, woken.signal)
    }
  }

  const looping = loop()
  return {
    wake: () => woken.abort(),
    async stop() {
      stopping.abort()
      woken.abort()
      await looping
    },
  }
}
