import { html } from '@filmgate/kit/http/html'
import { time } from '../../layout/numbers'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { accountLink, detailsText, pages, table, tag } from '../layout/parts'
import { actNames } from './act-names'
import type { ActRow } from './act-repository'

type Shown = { operator: Operator; url: string; acts: ActRow[]; next: number | undefined }

export const actLogPage = ({ operator, url, acts, next }: Shown): string =>
  operatePage({
    operator,
    room: 'acts',
    title: 'Log of acts',
    content: html`<p>What operators did on these pages, newest first. What was done by the command <code>ops</code> stands with the account and the task that it was done to.</p>
${table(
  'Acts',
  ['When', 'Who', 'What', 'To', 'Account', 'Why', 'Outcome', 'Answer'],
  acts.map(act => [
    time(act.at),
    html`${act.email} <span class="tag">${act.role}</span>`,
    // Acts of before a name changed are shown as they were kept.
    actNames[act.act]?.[1] ?? act.act,
    html`<span class="mono">${act.subject}</span>${Object.keys(act.details).length > 0 && html`<div class="soft">${detailsText(act.details)}</div>`}`,
    act.accountId !== null && accountLink(act.accountId),
    html`<div class="wide-cell">${act.reason}</div>`,
    act.outcome ? tag(act.outcome) : html`<span class="tag">no answer yet</span>`,
    html`<div class="wide-cell">${act.answer ?? ''}</div>`,
  ]),
  'Nothing was done yet.',
)}
${pages(url, next)}`,
  })
