export const nameLengthMax = 100

/** What ends a line, hides or turns what follows, or is made a link by whoever shows a mail. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|:\/\/|www\./iu

/** Of a person or an account: one line that is no link, since mails and other people's pages show it. */
export const isName = (text: string): boolean => text !== '' && text.length <= nameLengthMax && !unfit.test(text)

/** What form asks for who gave something else. */
export const nameIssue = 'Say a name of at most 100 characters, on one line and without a link.'

/** The nearest name to what another provider calls a person; '' where nothing is left. */
export const nameOf = (text: string): string =>
  text.replaceAll(new RegExp(unfit, 'giu'), ' ').replaceAll(/\s+/g, ' ').trim().slice(0, nameLengthMax).trim()
