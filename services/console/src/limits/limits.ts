import type { Limit } from './enforce-limit'

const minuteMs = 60_000
const hourMs = 3_600_000

export type LimitSettings = { signInsPerAddress: number; signUpsPerAddress: number }

export type SignInLimits = ReturnType<typeof signInLimits>

/** Limits by IP address stop attempts on many accounts; limits by account stop attempts from many addresses. */
export const signInLimits = ({ signInsPerAddress, signUpsPerAddress }: LimitSettings) =>
  ({
    signInAddress: { ...limit('sign-in by address', signInsPerAddress, 15 * minuteMs), by: 'address' },
    signInAccount: limit('sign-in by account', 10, 15 * minuteMs),
    /** For a browser that has signed in to the account before, so that others can't lock it out. */
    signInBrowser: limit('sign-in by known browser', 10, 15 * minuteMs),
    secondAccount: limit('second factor by account', 10, 15 * minuteMs),
    confirmAccount: limit('confirmation by account', 10, 15 * minuteMs),
    /** Longer than a code is valid, so that each code works once. */
    codeOnce: limit('code', 1, 5 * minuteMs),
    signUpAddress: { ...limit('sign-up by address', signUpsPerAddress, hourMs), by: 'address' },
    signUpAccount: limit('sign-up by account', 5, hourMs),
    mailAddress: { ...limit('mails by address', signInsPerAddress, hourMs), by: 'address' },
    mailAccount: limit('mails by account', 5, hourMs),
    linkAddress: { ...limit('links by address', signInsPerAddress, 15 * minuteMs), by: 'address' },
  }) satisfies Record<string, Limit>

/** An export reads all stored data. */
export const exportLimits = {
  account: { name: 'export of an account', max: 10, windowMs: hourMs },
  person: { name: 'export of a person', max: 10, windowMs: hourMs },
  usage: { name: 'usage as CSV', max: 10, windowMs: hourMs },
  auditLog: { name: 'audit log as CSV', max: 10, windowMs: hourMs },
} as const satisfies Record<string, Limit>

/**
 * Keys created or rotated per account. An account's limit of active keys alone would allow any number of
 * create-and-revoke cycles.
 */
export const keyLimit: Limit = { name: 'keys of an account', max: 30, windowMs: hourMs }

const tenMinutesMs = 10 * minuteMs

/**
 * Command lines that ask for a key, and codes that people type. Each login asks for a code at most three times: when it is
 * typed, after the person has confirmed, and with the answer.
 */
export const deviceLoginLimits = {
  openedAddress: { name: 'device logins by address', max: 30, windowMs: tenMinutesMs, by: 'address' },
  /** Bounds the rows, and how many of 20^8 codes are worth guessing: high, because whoever reaches it stops all others. */
  openedAll: { name: 'device logins', max: 100_000, windowMs: tenMinutesMs },
  typedPerson: { name: 'device codes by person', max: 30, windowMs: tenMinutesMs },
  typedAddress: { name: 'device codes by address', max: 300, windowMs: tenMinutesMs, by: 'address' },
} as const satisfies Record<string, Limit>

/** Webhook endpoints made, rotated, tested and the like per account: each is a request to somebody's server. */
export const webhookLimit: Limit = { name: 'webhooks of an account', max: 60, windowMs: hourMs }

/** Stripe calls per person. Stripe limits calls for all of us, so that a script could block paying people. */
export const stripeLimit: Limit = { name: 'questions to Stripe', max: 120, windowMs: hourMs }

const limit = (name: string, max: number, windowMs: number): Limit => ({ name, max, windowMs })
