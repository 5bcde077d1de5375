import { budgetsPath } from '../budgets/paths'
import type { Period, Scope } from '../budgets/save-budget'
import { accountPath } from '../layout/menu'
import { credits, number } from '../layout/numbers'
import type { Mail } from '../mail/queue-mail'
import { sanitizeName } from '../people/name'
import type { Recipient } from './warning-repository'

/** A threshold that a budget has crossed. `key_name`: of a key's budget; `resets_at` of a total is null. */
export type Crossing = {
  id: string
  account_id: string
  budget: Scope
  subject_id: string
  key_name: string | null
  period: Period
  percent: number
  max_credits: number
  spent_credits: number
  resets_at: string | null
  time_zone: string
}

type Links = { consoleUrl: string; unsubscribeUrl: string }

const periodText: Record<Period, string> = { total: 'in total', day: 'a day', month: 'a month' }

export function budgetMail(crossing: Crossing, recipient: Recipient, { consoleUrl, unsubscribeUrl }: Links): Mail {
  const { account_id: accountId, period, percent, max_credits: cap, spent_credits: spent } = crossing
  const { email, name, accountName, isOwner } = recipient
  const whose = whoseBudget(crossing, recipient)
  const isSpent = percent >= 100
  return {
    to: email,
    subject: isSpent ? `${capitalized(whose)} is spent` : `${percent} % of ${whose} is spent`,
    parts: [
      `Hello ${name},`,
      `${capitalized(whose)} allows ${credits(cap)} ${periodText[period]}, and ${number(spent)} of them are spent. Account: “${accountName}”.`,
      isSpent
        ? 'From now on videos are refused, and nothing is charged for them.'
        : 'A video that costs more than what is left is refused, and nothing is charged for it.',
      resetText(crossing),
      isOwner
        ? { label: 'See the budgets', url: `${consoleUrl}${budgetsPath(accountId)}` }
        : { label: 'See the usage', url: `${consoleUrl}${accountPath(accountId, 'usage')}` },
      { label: 'Stop e-mails about budgets and webhooks', url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}

/** A key's name is any text of whoever made the key, so a link in it is cut. */
function whoseBudget({ budget, subject_id, key_name }: Crossing, { personId, memberName, accountName }: Recipient): string {
  if (budget === 'account') return `the budget of “${accountName}”`
  if (budget === 'key') return `the budget of the key “${sanitizeName(key_name ?? '') || subject_id}”`
  if (subject_id === personId) return 'your budget'
  return memberName === null ? 'the budget of a former member' : `the budget of the member ${memberName}`
}

function resetText({ resets_at, time_zone: timeZone }: Crossing): string {
  if (resets_at === null) return 'It caps what is spent in total and does not begin anew. An owner of the account can raise it.'
  const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(resets_at))
  return `It begins anew on ${moment} (${timeZone}).`
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
