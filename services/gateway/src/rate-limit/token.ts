/** What asking for a token came to. `waitMs` is how long until the next one comes back. */
export type TokenAnswer = { taken: boolean; left: number; waitMs: number }

/** By key: requests let through and their ages in milliseconds, as `age:count` with spaces between. */
export type RequestAges = Record<string, string>

export const windowMs = 60_000
