import { type Html, html } from '@filmgate/kit/http/html'
import { networkOf } from '@filmgate/kit/request/network-of'
import type { Membership } from '../accounts/account-repository'
import type { Person } from '../http/person'
import { expiryFields } from '../keys/expiry-fields'
import { type NewKeyFields, type NewKeyIssues, nameLengthMax } from '../keys/page'
import { field, hidden } from '../layout/field'
import { time } from '../layout/numbers'
import { page } from '../layout/page'
import type { PendingDeviceLogin } from './device-login-repository'

export const devicePath = '/device'

type CodeView = { person: Person; code?: string; issue?: string | undefined }

/** Where a person types the code of their terminal. */
export const codePage = ({ person, code = '', issue }: CodeView): string =>
  page({
    title: 'Sign in a command line',
    person,
    content: html`<p>A program that you have started shows a code of eight letters. It gets an API key of your account once you approve.</p>
<form method="get" action="${devicePath}">
${field({ name: 'user_code', label: 'Code', value: code, hint: 'As your terminal shows it, such as WDJB-MJHT.', issue, required: true, maxLength: 20 })}
<p class="row"><button>Continue</button></p>
</form>
<p class="soft">Type only a code from your own terminal. Nobody else needs you to do this, Filmgate’s support included.</p>`,
  })

type ApprovalView = {
  person: Person
  login: PendingDeviceLogin
  owned: Membership[]
  accountId?: string
  fields?: NewKeyFields
  issues?: NewKeyIssues
}

/** What asks, and the key that it would get. */
export const approvalPage = ({ person, login, owned, accountId, fields = newKeyFor(login), issues = {} }: ApprovalView): string =>
  page({
    title: 'Does your terminal show this code?',
    person,
    content: html`<p class="user-code"><code>${login.userCode}</code></p>
<p class="notice wrong"><b>Approve only a code that you see in your own terminal.</b> If it came by mail, chat or phone, or if somebody else sent you here, deny it: they would get a key that spends your credits.</p>
<dl class="details">
<div><dt>Calls itself</dt><dd>${login.deviceName === '' ? 'nothing' : `“${login.deviceName}”`} <span class="sub">not verified</span></dd></div>
<div><dt>Asked from</dt><dd>${login.address} <span class="sub">${placeOf(login, person)}</span></dd></div>
<div><dt>Asked</dt><dd>${time(login.createdAt)}</dd></div>
</dl>
<form class="panel" method="post" action="${devicePath}">
${hidden('user_code', login.userCode)}
${owned.length > 0 ? keyFields(owned, accountId, fields, issues) : html`<p>Only owners of an account can create keys, and you own none. Ask an owner for a key, or <a href="/accounts">open an account</a> of your own.</p>`}
<p class="row">${owned.length > 0 && html`<button name="answer" value="approve">Approve</button> `}<button class="second" name="answer" value="deny" formnovalidate>Deny</button></p>
</form>`,
  })

const keyFields = (
  owned: Membership[],
  accountId: string | undefined,
  fields: NewKeyFields,
  issues: NewKeyIssues,
): Html => html`<label for="account">Account</label>
<select id="account" name="account">${owned.map(
  each => html`<option value="${each.accountId}"${each.accountId === accountId && html` selected`}>${each.accountName}</option>`,
)}</select>
<p class="hint">Its paid credits are charged.</p>
${field({ name: 'name', label: 'Name of the key', value: fields.name, issue: issues.name, required: true, maxLength: nameLengthMax })}
${expiryFields({ ...fields, issues })}`

const newKeyFor = ({ deviceName }: PendingDeviceLogin): NewKeyFields => ({
  name: deviceName === '' ? 'CLI' : `CLI on ${deviceName}`,
  expires: 'never',
  date: '',
})

/** A login that somebody else has started rarely comes from the person's own network. */
const placeOf = ({ address }: PendingDeviceLogin, person: Person): string =>
  person.address !== null && networkOf(address) === networkOf(person.address) ? 'your own network' : 'not the network of this browser'

type Answer = 'approved' | 'denied'

const answers: Record<Answer, { title: string; text: Html }> = {
  approved: {
    title: 'Approved',
    text: html`<p>Go back to your terminal: the program takes its key within some seconds. You can close this page.</p>
<p>The key is listed under <em>API keys</em> of the account, where you can revoke it at any time.</p>`,
  },
  denied: { title: 'Denied', text: html`<p>The program gets no key. You can close this page.</p>` },
}

export const isAnswer = (text: string | null): text is Answer => text !== null && Object.hasOwn(answers, text)

export const answeredPage = (person: Person, answer: Answer): string =>
  page({ title: answers[answer].title, person, content: answers[answer].text })
