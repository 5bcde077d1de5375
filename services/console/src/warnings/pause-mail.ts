import { accountPath } from '../layout/menu'
import { minuteText } from '../layout/numbers'
import type { Mail } from '../mail/queue-mail'
import type { Recipient } from './warning-repository'

/** A webhook endpoint that is paused. `address`: host and path; `kept_days`: of deliveries, from when each was made. */
export type Pause = {
  id: string
  account_id: string
  endpoint_id: string
  address: string
  reason: string
  paused_at: string
  kept_days: number
}

type Links = { consoleUrl: string; unsubscribeUrl: string }

export function pauseMail(pause: Pause, { email, name, accountName }: Recipient, { consoleUrl, unsubscribeUrl }: Links): Mail {
  const { account_id: accountId, endpoint_id: endpointId, address, reason, paused_at, kept_days } = pause
  return {
    to: email,
    subject: `A webhook endpoint of “${accountName}” is paused`,
    parts: [
      `Hello ${name},`,
      `the webhook endpoint ${address} of the account “${accountName}” is paused since ${minuteText(paused_at)}. Reason: ${reason}.`,
      `It gets nothing until it is resumed. New events wait for it, each for ${kept_days} days at most.`,
      `Repair it, then choose “Resume” on its page or call POST /api/v1/webhook-endpoints/${endpointId}/resume. What had failed by then can be sent again from its page.`,
      { label: 'Open its page', url: `${consoleUrl}${accountPath(accountId, 'webhooks')}/${encodeURIComponent(endpointId)}` },
      { label: 'Stop e-mails about budgets and webhooks', url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}
