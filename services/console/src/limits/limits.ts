import type { Limit } from './take-try'

const minuteMs = 60_000
const hourMs = 3_600_000

export type LimitSettings = { signInsPerAddress: number; signUpsPerAddress: number }

export type SignInLimits = ReturnType<typeof signInLimits>

/** By address against whoever tries many accounts, by account against whoever tries one from many addresses. */
export const signInLimits = ({ signInsPerAddress, signUpsPerAddress }: LimitSettings) =>
  ({
    signInAddress: { ...limit('sign-in by address', signInsPerAddress, 15 * minuteMs), by: 'address' },
    signInAccount: limit('sign-in by account', 10, 15 * minuteMs),
    /** Of a browser that has signed in to the account before: it is kept out by nobody but itself. */
    signInBrowser: limit('sign-in by known browser', 10, 15 * minuteMs),
    secondAccount: limit('second factor by account', 10, 15 * minuteMs),
    confirmAccount: limit('confirmation by account', 10, 15 * minuteMs),
    /** A code is good once, and this is longer than it is good. */
    codeOnce: limit('code', 1, 5 * minuteMs),
    signUpAddress: { ...limit('sign-up by address', signUpsPerAddress, hourMs), by: 'address' },
    signUpAccount: limit('sign-up by account', 5, hourMs),
    mailAddress: { ...limit('mails by address', signInsPerAddress, hourMs), by: 'address' },
    mailAccount: limit('mails by account', 5, hourMs),
    linkAddress: { ...limit('links by address', signInsPerAddress, 15 * minuteMs), by: 'address' },
  }) satisfies Record<string, Limit>

/** An export reads all that is kept. */
export const exportLimits = {
  account: { name: 'export of an account', max: 10, windowMs: hourMs },
  person: { name: 'export of a person', max: 10, windowMs: hourMs },
  usage: { name: 'usage as CSV', max: 10, windowMs: hourMs },
} as const satisfies Record<string, Limit>

/** Secrets that an account has made or rotated: twenty keys may work, and without this any number be made and ended. */
export const keyLimit: Limit = { name: 'keys of an account', max: 30, windowMs: hourMs }

/** What one person has Stripe asked: it answers us all so many times a second, and a script could leave none for who pays. */
export const stripeLimit: Limit = { name: 'questions to Stripe', max: 120, windowMs: hourMs }

const limit = (name: string, max: number, windowMs: number): Limit => ({ name, max, windowMs })
