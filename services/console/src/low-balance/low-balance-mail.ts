import { credits } from '../layout/numbers'
import type { Mail } from '../mail/queue-mail'
import type { LowBalance } from './balance-repository'

type Links = { billingUrl: string; unsubscribeUrl: string }

export const lowBalanceMail = (
  { email, name, accountName, bound, available }: LowBalance,
  { billingUrl, unsubscribeUrl }: Links,
): Mail => ({
  to: email,
  subject: `“${accountName}” is below ${credits(bound)}`,
  parts: [
    `Hello ${name},`,
    `the account “${accountName}” has ${credits(available)} of paid credits left, fewer than the ${credits(bound)} you chose. What the balance doesn’t cover is refused.`,
    { label: 'Buy credits', url: billingUrl },
    { label: 'Stop e-mails about the balance', url: unsubscribeUrl },
  ],
  unsubscribeUrl,
})
