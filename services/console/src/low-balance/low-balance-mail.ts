import { credits } from '../layout/numbers'
import type { Mail } from '../mail/queue-mail'
import type { LowBalance } from './balance-repository'

type Links = { billingUrl: string; stopUrl: string }

export const lowBalanceMail = ({ email, name, accountName, bound, available }: LowBalance, { billingUrl, stopUrl }: Links): Mail => ({
  to: email,
  subject: `“${accountName}” is below ${credits(bound)}`,
  parts: [
    `Hello ${name},`,
    `the account “${accountName}” has ${credits(available)} of paid credits left, fewer than the ${credits(bound)} you chose. What the balance doesn’t cover is refused.`,
    { words: 'Buy credits', url: billingUrl },
    { words: 'Stop e-mails about the balance', url: stopUrl },
  ],
  stopUrl,
})
