import type { Mail } from '../mail/queue-mail'

type To = { email: string; name: string }

// Whoever signs up chooses the name, and whose mailbox it is they have not shown: no mail says a name to an address that is not proven.

const ignore = 'If that wasn’t you, ignore this mail: nothing happens without the link.'

export const verificationMail = ({ email }: Pick<To, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your e-mail address',
  parts: [
    'Hello,',
    'confirm that this address is yours to open your account.',
    { words: 'Confirm the address', url },
    `The link works for an hour. ${ignore}`,
  ],
})

export const newAddressMail = ({ email }: Pick<To, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your new e-mail address',
  parts: [
    'Hello,',
    'from then on you sign in with this address.',
    { words: 'Use this address', url },
    `The link works for an hour. ${ignore}`,
  ],
})

/** To an address that has an account already, so that the page of the sign-up can say the same for all. */
export const knownAddressMail = ({ email, name }: To, consoleUrl: string): Mail => ({
  to: email,
  subject: 'You have an account already',
  parts: [
    `Hello ${name},`,
    'somebody, perhaps you, signed up with this address. It has an account already, and nothing was changed.',
    { words: 'Sign in', url: `${consoleUrl}/sign-in` },
    { words: 'Choose a new password, if you forgot yours', url: `${consoleUrl}/reset` },
  ],
})

export const resetMail = ({ email, name, emailVerified }: To & { emailVerified: boolean }, url: string): Mail => ({
  to: email,
  subject: 'Choose a new password',
  parts: [
    emailVerified ? `Hello ${name},` : 'Hello,',
    'choose a new password by this link. It works once, and for an hour.',
    { words: 'Choose a new password', url },
    ignore,
  ],
})

/** After a change of what signs a person in, whoever made it. */
export const changedMail = ({ email, name }: To, what: string, consoleUrl: string, address: string | null): Mail => ({
  to: email,
  subject: what,
  parts: [
    `Hello ${name},`,
    `${what}${address ? ` (asked for from ${address})` : ''}.`,
    'If that wasn’t you, choose a new password at once, and look at what signs you in:',
    { words: 'Choose a new password', url: `${consoleUrl}/reset` },
    { words: 'Sign-in and security', url: `${consoleUrl}/security` },
  ],
})
