import { type Html, html } from '@filmgate/kit/http/html'
import { time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { accountPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, facts, table, tag } from '../layout/parts'
import type { FoundPerson, PersonAccount, SentMail } from './person-repository'

type View = { operator: Operator; found: FoundPerson; accounts: PersonAccount[]; mails: SentMail[] }

/** Who somebody is, what they may enter, and which mails they were sent. */
export const personPage = ({ operator, found, accounts, mails }: View): string =>
  operatePage({
    operator,
    section: 'accounts',
    title: found.name,
    content: html`${facts([
      ['E-mail', `${found.email} (${found.emailVerified ? 'confirmed' : 'not confirmed'})`],
      ['Signed up', time(found.createdAt)],
      ['Person', html`<span class="mono">${found.id}</span>`],
    ])}
<h2>Accounts</h2>
${table(
  'Accounts',
  ['Name', 'Account', 'Role', 'Since', 'Status'],
  accounts.map(({ accountId, accountName, role, since, closedAt }) => [
    html`<a href="${accountPath(accountId)}">${accountName}</a>`,
    accountLink(accountId),
    role,
    time(since),
    closedAt ? html`closed ${time(closedAt)}` : 'open',
  ]),
  'A member of no account.',
)}
<h2>E-mails</h2>
${table(
  'E-mails',
  ['Written', 'Subject', 'Status'],
  mails.map(mail => [time(mail.createdAt), html`<div class="wide-cell">${mail.subject}</div>`, mailState(mail)]),
  'None are kept.',
)}`,
  })

function mailState({ sentAt, failedAt, lastError }: SentMail): Html {
  if (sentAt) return html`the mail server took it ${time(sentAt)}`
  const error = lastError !== null && html` <span class="soft">${lastError}</span>`
  return failedAt ? html`${tag('failed')}${error}` : html`${tag('waiting')}${error}`
}
