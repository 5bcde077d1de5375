import { Failure } from '@filmgate/kit/failure'
import { type Html, html } from '@filmgate/kit/http/html'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { AccountView } from '../gateway/gateway'
import type { Person } from '../http/person'
import type { KeyDeps } from '../keys/create-key'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { enforceLimit } from '../limits/enforce-limit'
import { webhookLimit } from '../limits/limits'

const creditsMax = 1_000_000_000_000

type ReadResult = { ok: true; credits: number | null } | { ok: false; value: string; issue: string }

/** Empty: never. */
export function readThreshold(value: string): ReadResult {
  if (value === '') return { ok: true, credits: null }
  const credits = /^\d{1,13}$/.test(value) ? Number(value) : 0
  if (credits >= 1 && credits <= creditsMax) return { ok: true, credits }
  return { ok: false, value, issue: 'Enter a whole number of credits from 1, or nothing.' }
}

/** Sets the paid balance below which the account's webhooks are told. */
export async function setThreshold(
  { sql, gateway }: KeyDeps,
  { person, accountId, credits }: { person: Person; accountId: string; credits: number | null },
): Promise<void> {
  await enforceLimit(sql, webhookLimit, accountId)
  const answer = await gateway.request(person, { method: 'PUT', path: `/accounts/${accountId}/low-balance`, body: { credits } })
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
  await insertAuditEntry(sql, person, { accountId, action: 'low_balance.set', details: { credits } })
}

type View = { accountId: string; account: AccountView; wrong?: { value: string; issue: string } | undefined }

export const thresholdForm = ({ accountId, account, wrong }: View): Html => html`<h2>When credits run low</h2>
<form method="post" action="${accountPath(accountId, 'billing')}/low-balance">
${field({
  name: 'credits',
  label: 'Tell webhooks when the paid credits fall below',
  value: wrong?.value ?? String(account.low_balance_credits ?? ''),
  issue: wrong?.issue,
  maxLength: 13,
  hint: html`A number of credits, or empty for never. <a href="${accountPath(accountId, 'webhooks')}">Webhooks</a> get one event, balance.low, and another only after the balance was above it again. For an e-mail choose a number of your own under <a href="${accountPath(accountId, 'mails')}">E-mails</a>.`,
})}
<p class="row"><button>Save</button></p>
</form>`
