/** One account's balances and the number of its open reservations, read under its row lock. Credits are whole. */
export type Account = {
  id: string
  /** Paid credits that no reservation holds. */
  available: number
  /** Sign-up credits; they never fund the API. */
  starter: number
  unfinished: number
  balanceVersion: number
}

/** Credits given to an account, once for its id. */
export type Grant = { id: string; accountId: string; balance: 'paid' | 'starter'; credits: number; reason: string }
