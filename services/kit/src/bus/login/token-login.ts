/** A token of OAUTHBEARER. `lifeMs`: how long the broker takes it, from now. */
export type Token = { value: string; lifeMs: number }

/** What a login by OAUTHBEARER asks for. `forget`: the broker has refused what `token` gave. */
export type TokenLogin = { token(): Promise<string>; forget(): void }

/** Nobody gave us a token. The message names who was asked and what they answered, and holds no secret. */
export class NoTokenError extends Error {
  override name = 'NoTokenError'
}

/** A token that brokers refuse is asked for anew no sooner. */
const askedAgainMs = 10_000
/**
 * A login with less than this left of its token is none: kafkajs logs in again ten seconds before the end, and brokers refuse a second login
 * within a second of the first (KIP-368).
 */
const leftMsMin = 12_000

/**
 * Asks for a token once half of the last one's life is over, so that whoever issues tokens may be away for most of the other
 * half: meanwhile the one that is held is used.
 */
export function holdToken(ask: () => Promise<Token>, now: () => number = Date.now): TokenLogin {
  let held: { value: string; fromMs: number; renewMs: number; endMs: number } | undefined
  let asking: Promise<string> | undefined

  async function renew(): Promise<string> {
    const fromMs = now()
    try {
      const { value, lifeMs } = await ask()
      const usableMs = lifeMs - leftMsMin
      held = { value, fromMs, renewMs: fromMs + Math.min(lifeMs / 2, usableMs), endMs: fromMs + usableMs }
      return value
    } catch (error) {
      if (held && now() < held.endMs) return held.value
      throw error
    }
  }

  return {
    token() {
      if (held && now() < held.renewMs) return Promise.resolve(held.value)
      asking ??= renew().finally(() => {
        asking = undefined
      })
      return asking
    },
    forget() {
      if (held) held.renewMs = Math.min(held.renewMs, held.fromMs + askedAgainMs)
    },
  }
}
