import { html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { budgetsPath } from '../budgets/paths'
import type { AccountView } from '../gateway/gateway'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { credits } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { nameLengthMax } from '../people/name'

type View = MemberContext & { name?: string; issue?: string; notice?: Notice | undefined }

export function settingsPage({ person, member, memberships, name = member.accountName, issue, notice }: View): string {
  const path = accountPath(member.accountId, 'settings')
  return page({
    title: 'Settings',
    person,
    account: { member, memberships, section: 'settings' },
    ...(notice && { notice }),
    content:
      member.role === 'owner'
        ? html`<form class="panel" method="post" action="${path}/name">
<h2>Name of the account</h2>
${field({ name: 'name', label: 'Name', value: name, issue, required: true, maxLength: nameLengthMax })}
<p class="row"><button>Save the name</button></p>
</form>
<section class="panel"><h2>Budgets</h2>
<p>Caps in credits of this account, its keys and its members: in total, a day or a month in a time zone of yours.</p>
<p class="row"><a class="button second" href="${budgetsPath(member.accountId)}">Budgets</a></p></section>
<section class="panel"><h2>Export</h2>
<p>Members, keys without secrets, tasks, usage, credit changes, purchases and the audit log as one JSON Lines file. Each line is an object with a <code>type</code>. Download videos from the addresses in it.</p>
<p class="row"><a class="button second" href="${path}/export" download>Download the data</a></p></section>
<section class="panel danger"><h2>Delete the account</h2>
<p>Permanently ends its keys, its members’ access and its credits.</p>
<p class="row"><a class="button second" href="${path}/delete">Delete the account…</a></p></section>
<p class="soft">Account id: <code>${member.accountId}</code></p>`
        : html`<p>Only owners can change the settings of ${member.accountName}. You are a ${member.role} and can <a href="${accountPath(member.accountId, 'members')}/leave">leave the account</a>.</p>
<p class="soft">Account id: <code>${member.accountId}</code></p>`,
  })
}

type CloseView = MemberContext & { account: AccountView | undefined; formId: string; issue?: string }

/** Lists what is lost before it asks for confirmation. */
export function closePage({ person, member, memberships, account, formId, issue }: CloseView): string {
  const left = account ? account.available_credits + account.starter_credits : 0
  return page({
    title: `Delete ${member.accountName}`,
    person,
    account: { member, memberships, section: 'settings' },
    content: html`<ul>
<li>${left > 0 ? html`<strong>${credits(left)} are forfeited.</strong> They are not refunded and can’t be moved to another account.` : 'It has no credits left.'}</li>
<li>Every key is rejected within 5 seconds. ${runningText(account?.unfinished ?? 0)}</li>
<li>Webhook endpoints are told how running videos of the API end, and are then deleted.</li>
<li>Every member, including you, loses access at once.</li>
<li>Uploads are deleted within a day, videos after their usual retention. Records of charges, payments and actions are kept only as long as the law requires.</li>
</ul>
<p>This can’t be undone. <a href="${accountPath(member.accountId, 'settings')}/export" download>Download the data</a> first, if you need it.</p>
<form method="post" class="panel danger">
${hidden('form', formId)}
${field({ name: 'name', label: `Type the account’s name, ${member.accountName}, to confirm`, issue, required: true })}
<p class="row"><button class="danger">Delete permanently</button> <a class="button second" href="${accountPath(member.accountId, 'settings')}">Cancel</a></p>
</form>`,
  })
}

const runningText = (unfinished: number): string =>
  unfinished === 0
    ? 'No video is in progress.'
    : `${unfinished === 1 ? 'One video is' : `${unfinished} videos are`} in progress and will be completed and charged.`
