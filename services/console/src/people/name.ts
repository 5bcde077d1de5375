export const nameLengthMax = 100

/** Line breaks, control and bidirectional characters, and anything that mail software turns into a link. */
const forbiddenInName = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|:\/\/|www\./iu

/** The name of a person or an account: one line and no link, because mails and other people's pages show it. */
export const isValidName = (text: string): boolean => text !== '' && text.length <= nameLengthMax && !forbiddenInName.test(text)

/** The error message of an invalid name. */
export const invalidNameMessage = 'Enter a name of at most 100 characters, on one line and without a link.'

/** Makes a valid name of what an OIDC provider sends; '' if nothing is left. */
export const sanitizeName = (text: string): string =>
  text.replaceAll(new RegExp(forbiddenInName, 'giu'), ' ').replaceAll(/\s+/g, ' ').trim().slice(0, nameLengthMax).trim()
