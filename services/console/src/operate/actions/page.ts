import { html } from '@filmgate/kit/http/html'
import { time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { accountLink, detailsText, pages, table, tag } from '../layout/parts'
import type { ActionRow } from './action-repository'
import { operatorActions } from './operator-actions'

type View = { operator: Operator; url: string; actions: ActionRow[]; next: number | undefined }

export const auditLogPage = ({ operator, url, actions, next }: View): string =>
  operatePage({
    operator,
    section: 'audit-log',
    title: 'Log of acts',
    content: html`<p>What operators did on these pages, newest first. What was done by the command <code>ops</code> stands with the account and the task that it was done to.</p>
${table(
  'Acts',
  ['When', 'Who', 'What', 'To', 'Account', 'Why', 'Outcome', 'Answer'],
  actions.map(action => [
    time(action.at),
    html`${action.email} <span class="tag">${action.role}</span>`,
    operatorActions[action.action][1],
    html`<span class="mono">${action.subject}</span>${Object.keys(action.details).length > 0 && html`<div class="soft">${detailsText(action.details)}</div>`}`,
    action.accountId !== null && accountLink(action.accountId),
    html`<div class="wide-cell">${action.reason}</div>`,
    action.outcome ? tag(action.outcome) : html`<span class="tag">no answer yet</span>`,
    html`<div class="wide-cell">${action.answer ?? ''}</div>`,
  ]),
  'Nothing was done yet.',
)}
${pages(url, next)}`,
  })
