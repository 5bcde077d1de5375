/** The result of taking a token. `waitMs` is how long until the next one comes back. */
export type TokenAnswer = { taken: boolean; left: number; waitMs: number }

export const windowMs = 60_000
