import type { Mail } from '../mail/queue-mail'

type Recipient = { email: string; name: string }

// Anyone can sign up with any name and address. Mails to an unconfirmed address therefore don't contain the name.

const ignore = 'If you did not request this, ignore this mail.'

export const verificationMail = ({ email }: Pick<Recipient, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your e-mail address',
  parts: [
    'Hello,',
    'please confirm your e-mail address to open your account.',
    { label: 'Confirm the address', url },
    `The link is valid for one hour. ${ignore}`,
  ],
})

export const newAddressMail = ({ email }: Pick<Recipient, 'email'>, url: string): Mail => ({
  to: email,
  subject: 'Confirm your new e-mail address',
  parts: [
    'Hello,',
    'please confirm your new e-mail address. You will then sign in with it.',
    { label: 'Use this address', url },
    `The link is valid for one hour. ${ignore}`,
  ],
})

/** Sent instead of an error, so that the sign-up page answers the same for known and unknown addresses. */
export const existingAccountMail = ({ email, name }: Recipient, consoleUrl: string): Mail => ({
  to: email,
  subject: 'You already have an account',
  parts: [
    `Hello ${name},`,
    'somebody signed up with this address, which already has an account. Nothing was changed.',
    { label: 'Sign in', url: `${consoleUrl}/sign-in` },
    { label: 'Choose a new password if you forgot yours', url: `${consoleUrl}/reset` },
  ],
})

export const resetMail = ({ email, name, emailVerified }: Recipient & { emailVerified: boolean }, url: string): Mail => ({
  to: email,
  subject: 'Choose a new password',
  parts: [
    emailVerified ? `Hello ${name},` : 'Hello,',
    'use this link to choose a new password. It works once and is valid for one hour.',
    { label: 'Choose a new password', url },
    ignore,
  ],
})

/** For a browser that has to wait because somebody tried too many passwords. */
export const unlockMail = ({ email, name }: Recipient, url: string): Mail => ({
  to: email,
  subject: 'Sign in from a new browser',
  parts: [
    `Hello ${name},`,
    'somebody tried too many passwords for your account, so new browsers have to wait. Open this link in the browser that you sign in with. You still need your password.',
    { label: 'Let this browser sign in', url },
    `The link works once and is valid for one hour. ${ignore}`,
  ],
})

/** Sent after every change of a person's sign-in methods. */
export const securityChangeMail = ({ email, name }: Recipient, change: string, consoleUrl: string, address: string | null): Mail => ({
  to: email,
  subject: change,
  parts: [
    `Hello ${name},`,
    `${change}${address ? ` (requested from ${address})` : ''}.`,
    'If this was not you, choose a new password at once and check your sign-in methods:',
    { label: 'Choose a new password', url: `${consoleUrl}/reset` },
    { label: 'Sign-in and security', url: `${consoleUrl}/security` },
  ],
})
