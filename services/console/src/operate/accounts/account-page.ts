import { type Html, html } from '@filmgate/kit/http/html'
import type { GatewayAccount } from '@filmgate/proto/operator/account'
import type { LedgerAccount } from '@filmgate/proto/operator/books'
import type { MemberRow } from '../../accounts/member-repository'
import { describeAuditEntry } from '../../audit-log/describe-entry'
import type { AuditEntry } from '../../audit-log/list-repository'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { keyTable } from '../keys/key-table'
import { costsPathOf, personPath, purchasesPathOf, requestsPathOf } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { facts, table, tag, taskLink } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import { changeForms } from './change-forms'

type View = {
  operator: Operator
  known: GatewayAccount
  ledger: ServiceResult<LedgerAccount>
  /** Undefined for an operator who may not see people. */
  people: { members: MemberRow[]; log: AuditEntry[] } | undefined
  last: ActionRow | undefined
  notice: Notice | undefined
}

export function accountPage({ operator, known, ledger, people, last, notice }: View): string {
  const { account, keys, credit_changes: changes, acts } = known
  return operatePage({
    operator,
    section: 'accounts',
    title: account.name,
    notice,
    content: html`${facts([
      ['Account', html`<span class="mono">${account.account_id}</span>`],
      ['Opened', time(account.created_at)],
      ['Tasks', html`<a href="/operate/tasks?account=${encodeURIComponent(account.account_id)}">Tasks of this account</a>`],
      ['Requests', html`<a href="${requestsPathOf({ account: account.account_id })}">Requests of this account</a>`],
      ['Costs', html`<a href="${costsPathOf(account.account_id)}">What this account cost and brought</a>`],
      ['Purchases', html`<a href="${purchasesPathOf(account.account_id)}">Purchases of this account</a>`],
    ])}
${
  people &&
  html`<h2>People</h2>
${table(
  'People',
  ['Name', 'E-mail', 'Role', 'Since'],
  people.members.map(({ personId, name, email, role, since }) => [
    html`<a href="${personPath(personId)}">${name}</a>`,
    email,
    role,
    time(since),
  ]),
  'No person of the console. The account is used by its keys alone.',
)}`
}
<h2>Credits</h2>
${balances(ledger, account)}
${changeForms(operator, account, last)}
${changes.length > 0 && html`<h3>Grants and debits</h3>`}
${table(
  'Grants and debits',
  ['Time', 'Kind', { name: 'Credits', number: true }, 'Status', 'Reason', 'Requested by'],
  changes.map(change => [
    time(change.asked_at),
    `${change.kind}, ${change.balance}`,
    number(change.kind === 'debit' ? -change.credits : change.credits),
    html`${tag(change.state)}${change.refusal !== null && html` ${change.refusal.replaceAll('_', ' ')}`}`,
    html`<div class="wide-cell">${change.reason}</div>`,
    change.operator ?? '',
  ]),
  'No grants or debits.',
)}
<h2>Keys</h2>
${keyTable(operator, account.account_id, keys, last)}
<h2>Unfinished tasks</h2>
${
  ledger.ok
    ? table(
        'Unfinished tasks',
        ['Task', 'Status', { name: 'Credits', number: true }, 'Since', 'Counts until'],
        ledger.value.open.map(one => [
          ...[taskLink(one.task_id), tag(one.state), number(one.credits), time(one.reserved_at)],
          one.counts_until ? time(one.counts_until) : 'its end',
        ]),
      )
    : html`<p class="bad">${errorMessage(ledger)}</p>`
}
${
  people &&
  html`<h2>What its people did</h2>
${table(
  'What its people did',
  ['Time', 'Action', 'Person'],
  people.log.map(entry => [time(entry.at), describeAuditEntry(entry), entry.email]),
  'Nothing yet.',
)}`
}
<h2>Operator actions</h2>
${table(
  'Operator actions',
  ['Time', 'Action', 'Object', 'Operator'],
  acts.map(act => [time(act.at), act.act.replaceAll('_', ' '), act.subject ?? '', act.by]),
  'Nothing yet.',
)}`,
  })
}

/** The ledger's balances, which are authoritative; the gateway's copy if the ledger is unavailable. */
function balances(ledger: ServiceResult<LedgerAccount>, account: GatewayAccount['account']): Html {
  const { available, starter } = ledger.ok ? ledger.value.account : account
  const unknown = !ledger.ok && ledger.status === 404
  return html`<div class="cards">
<section class="card"><h3 class="figure-name">Paid</h3><p class="figure">${number(available)}</p></section>
<section class="card"><h3 class="figure-name">Starter</h3><p class="figure">${number(starter)}</p></section>
${ledger.ok && html`<section class="card"><h3 class="figure-name">Owed</h3><p class="figure">${number(ledger.value.account.owed ?? 0)}</p></section>`}
${ledger.ok && html`<section class="card"><h3 class="figure-name">Unfinished tasks</h3><p class="figure">${number(ledger.value.account.unfinished)}</p></section>`}
</div>
${!ledger.ok && html`<p class="bad">${unknown ? 'The ledger does not know this account yet.' : errorMessage(ledger)} The balances are the gateway’s copy.</p>`}`
}
