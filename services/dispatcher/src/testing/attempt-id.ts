/** The id of an attempt at no order of a test: of the same form, and random. */
export const newAttemptId = (): string => `at_${Bun.randomUUIDv7().replaceAll('-', '')}`
