import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import type { KeyRow } from '@filmgate/proto/operator/account'
import { expiryFields } from '../../keys/expiry-fields'
import { stateOf } from '../../keys/key-state'
import { nameLengthMax } from '../../keys/page'
import { date, time } from '../../layout/numbers'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { table, tag } from '../layout/parts'

/** The keys of an account, with what this operator may do to them. */
export const keysOf = (operator: Operator, accountId: string, keys: KeyRow[], last: ActRow | undefined): Html => html`${table(
  'Keys',
  ['Name', 'Created', 'Last used', 'State', ''],
  keys.map(key => keyRow(operator, accountId, key, last)),
  'The account has no key.',
)}
${newKeyForm(operator, accountId, last)}`

function keyRow(operator: Operator, accountId: string, key: KeyRow, last: ActRow | undefined) {
  const state = stateOf({ revoked_at: key.revokedAt, expires_at: key.expiresAt }, new Date())
  return [
    html`${key.name}<span class="sub mono">${key.prefix}…</span>`,
    html`${date(key.createdAt)}${!!key.createdBy && html`<span class="sub by">by ${key.createdBy}</span>`}`,
    key.lastUsedAt ? time(key.lastUsedAt) : 'Never',
    html`${tag(state)}${stateSince(key)}`,
    state === 'active' && mayActAs(operator.role, 'support') ? keyForms(operator, accountId, key, last) : '',
  ]
}

function stateSince({ revokedAt, expiresAt, rotatedAt }: KeyRow): Html {
  if (revokedAt !== null) return html`<span class="sub">${date(revokedAt)}</span>`
  return html`${expiresAt !== null && html`<span class="sub">until ${date(expiresAt)}</span>`}${!!rotatedAt && html`<span class="sub">rotated ${date(rotatedAt)}</span>`}`
}

const keyForms = (...of: Parameters<typeof rotation>): Html => html`<div class="acts">${rotation(...of)}${revocation(...of)}</div>`

const keyPath = (accountId: string, { id }: KeyRow): string => `${accountPath(accountId)}/keys/${encodeURIComponent(id)}`

const rotation = (operator: Operator, accountId: string, key: KeyRow, last: ActRow | undefined) =>
  actForm(operator, {
    act: 'key_rotated',
    key: key.id,
    path: `${keyPath(accountId, key)}/rotate`,
    title: 'Rotate…',
    button: 'Rotate the key',
    what: 'Its other secret is shown once. The former one works on for the overlap that the gateway is set to, a day unless set otherwise.',
    meant: `I mean the key “${key.name}”.`,
    last,
  })

const revocation = (operator: Operator, accountId: string, key: KeyRow, last: ActRow | undefined) =>
  actForm(operator, {
    act: 'key_revoked',
    key: key.id,
    path: `${keyPath(accountId, key)}/revoke`,
    title: 'Revoke…',
    button: 'Revoke the key',
    what: 'Nothing is asked with this key any more. Its running tasks go on and are charged.',
    meant: `I mean the key “${key.name}”.`,
    last,
  })

function newKeyForm(operator: Operator, accountId: string, last: ActRow | undefined) {
  const again = last?.act === 'key_created' && last.outcome !== 'done' ? last : undefined
  const { expires = 'never', date = '' } = again?.details ?? {}
  return actForm(operator, {
    act: 'key_created',
    path: `${accountPath(accountId)}/keys`,
    title: 'Create a key…',
    button: 'Create the key',
    what: 'Its secret is shown once, to you: hand it over where nobody else reads.',
    meant: 'I mean this account.',
    fields: html`<label for="key_created-name">Name</label>
<input id="key_created-name" name="name" maxlength="${nameLengthMax}" required autocomplete="off" value="${again?.subject ?? ''}">
${expiryFields({ expires: String(expires), date: String(date) })}`,
    last,
  })
}
