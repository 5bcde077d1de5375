/**
 * `at_` and a UUIDv7 in hex: sorts by age, and its 62 random bits make it a token nobody guesses, so it serves as the maker's
 * client id and in the callback URL.
 */
export const newAttemptId = (): string => `at_${Bun.randomUUIDv7().replaceAll('-', '')}`

/** What the first id of that moment would be; for comparing only. */
export const attemptIdAt = (at: Date): string => `at_${at.getTime().toString(16).padStart(12, '0')}`
