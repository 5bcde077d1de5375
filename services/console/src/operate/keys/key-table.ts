import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { KeyRow } from '@filmgate/proto/operator/account'
import { expiryFields } from '../../keys/expiry-fields'
import { keyState } from '../../keys/key-state'
import { nameLengthMax } from '../../keys/page'
import { date, time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { accountPath } from '../layout/menu'
import { table, tag } from '../layout/parts'

/** The keys of an account, with the actions that this operator may perform. */
export const keyTable = (operator: Operator, accountId: string, keys: KeyRow[], last: ActionRow | undefined): Html => html`${table(
  'Keys',
  ['Name', 'Created', 'Last used', 'Status', ''],
  keys.map(key => keyRow(operator, accountId, key, last)),
  'No keys.',
)}
${newKeyForm(operator, accountId, last)}`

function keyRow(operator: Operator, accountId: string, key: KeyRow, last: ActionRow | undefined) {
  const state = keyState({ revoked_at: key.revokedAt, expires_at: key.expiresAt }, new Date())
  return [
    html`${key.name}<span class="sub mono">${key.prefix}…</span>`,
    html`${date(key.createdAt)}${!!key.createdBy && html`<span class="sub by">by ${key.createdBy}</span>`}`,
    key.lastUsedAt ? time(key.lastUsedAt) : 'Never',
    html`${tag(state)}${stateSince(key)}`,
    state === 'active' && hasRole(operator.role, 'support') ? keyForms(operator, accountId, key, last) : '',
  ]
}

function stateSince({ revokedAt, expiresAt, rotatedAt }: KeyRow): Html {
  if (revokedAt !== null) return html`<span class="sub">${date(revokedAt)}</span>`
  return html`${expiresAt !== null && html`<span class="sub">until ${date(expiresAt)}</span>`}${!!rotatedAt && html`<span class="sub">rotated ${date(rotatedAt)}</span>`}`
}

const keyForms = (...of: Parameters<typeof rotation>): Html => html`<div class="acts">${rotation(...of)}${revocation(...of)}</div>`

const keyPath = (accountId: string, { id }: KeyRow): string => `${accountPath(accountId)}/keys/${encodeURIComponent(id)}`

const rotation = (operator: Operator, accountId: string, key: KeyRow, last: ActionRow | undefined) =>
  actionForm(operator, {
    action: 'key_rotated',
    key: key.id,
    path: `${keyPath(accountId, key)}/rotate`,
    title: 'Rotate…',
    button: 'Rotate the key',
    description: 'The new secret is shown once. The previous one works for the gateway’s overlap, one day by default.',
    confirmation: `I confirm the key “${key.name}”.`,
    last,
  })

const revocation = (operator: Operator, accountId: string, key: KeyRow, last: ActionRow | undefined) =>
  actionForm(operator, {
    action: 'key_revoked',
    key: key.id,
    path: `${keyPath(accountId, key)}/revoke`,
    title: 'Revoke…',
    button: 'Revoke the key',
    description: 'Requests with this key are rejected. Its running tasks continue and are charged.',
    confirmation: `I confirm the key “${key.name}”.`,
    last,
  })

function newKeyForm(operator: Operator, accountId: string, last: ActionRow | undefined) {
  const retried = last?.action === 'key_created' && last.outcome !== 'done' ? last : undefined
  const { expires = 'never', date = '' } = retried?.details ?? {}
  return actionForm(operator, {
    action: 'key_created',
    path: `${accountPath(accountId)}/keys`,
    title: 'Create a key…',
    button: 'Create the key',
    description: 'The secret is shown to you once. Hand it over on a secure channel.',
    confirmation: 'I confirm this account.',
    fields: html`<label for="key_created-name">Name</label>
<input id="key_created-name" name="name" maxlength="${nameLengthMax}" required autocomplete="off" value="${retried?.subject ?? ''}">
${expiryFields({ expires: String(expires), date: String(date) })}`,
    last,
  })
}
