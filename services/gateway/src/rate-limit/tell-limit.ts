import { type TokenAnswer, windowMs } from '@filmgate/kit/request/local-bucket'

export type Answering = { headers: Record<string, string | number> }

/** The limit as a header (IETF draft): q requests in w seconds. Also where the rest of it is not known. */
export function tellPolicy({ headers }: Answering, limit: number): void {
  headers['ratelimit-policy'] = `"requests";q=${limit};w=${windowMs / 1_000}`
}

/** And what is left of it: r requests, the next one back in t seconds. Returns those seconds. */
export function tellLimit(set: Answering, limit: number, { left, waitMs }: TokenAnswer): number {
  const waitSeconds = Math.ceil(waitMs / 1_000)
  tellPolicy(set, limit)
  set.headers.ratelimit = `"requests";r=${left};t=${waitSeconds}`
  return waitSeconds
}
