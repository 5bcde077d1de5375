import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { budgetFormPath } from '../budgets/paths'
import type { KeyView } from '../gateway/gateway'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { date, time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { pathWith, table } from '../layout/table'
import { expiryFields } from './expiry-fields'
import { type KeyState, keyState } from './key-state'

export type NewKeyFields = { name: string; expires: string; date: string }
export type NewKeyIssues = Partial<Record<keyof NewKeyFields, string>>
type View = MemberContext & {
  keys: KeyView[]
  now: Date
  formId: string
  fields?: NewKeyFields | undefined
  issues?: NewKeyIssues | undefined
  notice?: Notice | undefined
}

export const nameLengthMax = 100
const none: NewKeyFields = { name: '', expires: 'never', date: '' }

export function keysPage({ person, member, memberships, keys, now, formId, fields = none, issues = {}, notice }: View): string {
  const isOwner = member.role === 'owner'
  const path = accountPath(member.accountId, 'keys')
  return page({
    title: 'API keys',
    person,
    account: { member, memberships, section: 'keys' },
    ...(notice && { notice }),
    content: html`<p>Programs send a key with each request. Their videos are charged to this account’s paid credits.</p>
${isOwner ? newKeyForm(path, formId, fields, issues) : html`<p class="soft">Only owners of the account can create, rotate and revoke keys.</p>`}
<h2>Keys</h2>
${keys.length === 0 ? html`<div class="empty"><p>There are no keys yet.</p></div>` : keyTable(member.accountId, keys, now, isOwner)}`,
  })
}

const newKeyForm = (
  path: string,
  formId: string,
  fields: NewKeyFields,
  issues: NewKeyIssues,
): Html => html`<form class="panel" method="post" action="${path}">
<h2>Create a key</h2>
${hidden('form', formId)}
${field({ name: 'name', label: 'Name', value: fields.name, hint: html`What it is for, such as “Website”. On your own machine <code>npx filmgate login</code> gets a key of its own.`, issue: issues.name, required: true, maxLength: nameLengthMax })}
${expiryFields({ ...fields, issues })}
<p class="row"><button>Create key</button></p>
</form>`

const keyTable = (accountId: string, keys: KeyView[], now: Date, isOwner: boolean): Html =>
  table(
    'Keys of this account',
    [
      { title: 'Name' },
      { title: 'Created' },
      { title: 'Last used' },
      { title: 'Expires' },
      { title: 'Status' },
      ...(isOwner ? [{ title: '' }] : []),
    ],
    keys.map(key => {
      const state = keyState(key, now)
      return [
        html`${key.name}<span class="sub mono">${key.prefix}…</span>${restrictions(key).map(text => html`<span class="sub">${text}</span>`)}`,
        html`${date(key.created_at)}${key.created_by !== null && html`<span class="sub by">by ${key.created_by}</span>`}`,
        key.last_used_at === null
          ? 'Never'
          : html`<a href="${pathWith(accountPath(accountId, 'requests'), { key: key.key_id })}">${time(key.last_used_at)}</a>`,
        key.expires_at === null ? 'Never' : date(key.expires_at),
        html`${tag(state)}${state === 'active' && key.rotated_at ? html`<span class="sub">rotated ${date(key.rotated_at)}</span>` : false}`,
        ...(isOwner ? [state === 'active' ? keyActions(accountId, key) : ''] : []),
      ]
    }),
  )

const restrictions = ({ models, addresses }: KeyView): string[] => [
  ...(models ? [`only ${models.join(', ')}`] : []),
  ...(addresses ? [`only from ${addresses.join(', ')}`] : []),
]

const tag = (state: KeyState): Html =>
  html`<span class="tag${state === 'active' ? ' good' : state === 'revoked' ? ' bad' : ''}">${state}</span>`

const keyActions = (accountId: string, { key_id, name }: KeyView): Html => {
  const path = `${accountPath(accountId, 'keys')}/${encodeURIComponent(key_id)}`
  return html`<div class="row">
<a class="button second" href="${budgetFormPath(accountId, { scope: 'key', id: key_id })}">Budget<span class="hidden"> of ${name}</span></a>
<a class="button second" href="${path}/restrict">Restrict<span class="hidden"> ${name}</span></a>
<a class="button second" href="${path}/rotate">Rotate<span class="hidden"> ${name}</span></a>
<a class="button second" href="${path}/revoke">Revoke<span class="hidden"> ${name}</span></a>
</div>`
}
