import type { Mail } from '../mail/queue-mail'

type Recipient = { email: string; name: string }

// Anyone can sign up with any name and address. Mails to an unconfirmed address therefore don't contain the name.

const ignore = 'If that wasn’t you, ignore this mail: nothing happens without the link.'

export const verificationMail = ({ email }: Pick<Recipient, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your e-mail address',
  parts: [
    'Hello,',
    'confirm that this address is yours to open your account.',
    { invitationText: 'Confirm the address', url },
    `The link works for an hour. ${ignore}`,
  ],
})

export const newAddressMail = ({ email }: Pick<Recipient, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your new e-mail address',
  parts: [
    'Hello,',
    'from then on you sign in with this address.',
    { invitationText: 'Use this address', url },
    `The link works for an hour. ${ignore}`,
  ],
})

/** Sent instead of an error, so that the sign-up page answers the same for known and unknown addresses. */
export const existingAccountMail = ({ email, name }: Recipient, consoleUrl: string): Mail => ({
  to: email,
  subject: 'You have an account already',
  parts: [
    `Hello ${name},`,
    'somebody, perhaps you, signed up with this address. It has an account already, and nothing was changed.',
    { invitationText: 'Sign in', url: `${consoleUrl}/sign-in` },
    { invitationText: 'Choose a new password, if you forgot yours', url: `${consoleUrl}/reset` },
  ],
})

export const resetMail = ({ email, name, emailVerified }: Recipient & { emailVerified: boolean }, url: string): Mail => ({
  to: email,
  subject: 'Choose a new password',
  parts: [
    emailVerified ? `Hello ${name},` : 'Hello,',
    'choose a new password by this link. It works once, and for an hour.',
    { invitationText: 'Choose a new password', url },
    ignore,
  ],
})

/** Sent after every change of a person's sign-in methods. */
export const securityChangeMail = ({ email, name }: Recipient, change: string, consoleUrl: string, address: string | null): Mail => ({
  to: email,
  subject: change,
  parts: [
    `Hello ${name},`,
    `${change}${address ? ` (asked for from ${address})` : ''}.`,
    'If that wasn’t you, choose a new password at once, and look at what signs you in:',
    { invitationText: 'Choose a new password', url: `${consoleUrl}/reset` },
    { invitationText: 'Sign-in and security', url: `${consoleUrl}/security` },
  ],
})
