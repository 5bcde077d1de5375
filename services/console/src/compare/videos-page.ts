import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { page } from '../layout/page'
import { statusTag, taskPath } from '../tasks/gallery/card'
import { screen } from '../tasks/screen'
import { priceText } from '../tasks/task-text'
import { comparePath, comparisonPath } from './paths'

/** A model without a task, with the status and the code of the answer. */
export type Refused = { modelId: string; status: string; code: string }
type VideosPage = MemberContext & { tasks: TaskView[]; refused: Refused[] }

export function videosPage({ person, member, memberships, tasks, refused }: VideosPage): string {
  const { accountId } = member
  const [first] = tasks
  const modelIds = [...tasks.map(({ model }) => model), ...refused.map(({ modelId }) => modelId)]
  return page({
    title: 'Side by side',
    person,
    account: { member, memberships, section: 'playground' },
    scripts: ['tasks.browser.js'],
    content: html`${first?.prompt !== null && html`<p class="prompt">${first?.prompt}</p>`}
<ul class="gallery side-by-side" data-tasks="${comparePath(accountId)}/live">${tasks.map(task => videoCard(accountId, task))}${refused.map(each => refusedCard(accountId, each, first))}</ul>
<p class="hidden" role="status" id="announcement"></p>
<p class="row"><a class="button second" href="${comparisonPath(accountId, modelIds, first?.mode ?? '')}">Compare with another prompt</a></p>`,
  })
}

export const videoCard = (
  accountId: string,
  task: TaskView,
): Html => html`<li class="task" data-task="${task.id}" data-status="${task.status}">
<h2><a class="title" href="${taskPath(accountId, task)}">${task.model}</a></h2>
<div class="screen">${screen(task, task.phase === 'uncertain' ? { for: 'outcome', until: null } : null)}</div>
<p class="facts">${statusTag(task)} <span>${priceText(task)}</span></p>
${task.output !== null && html`<p class="row"><a class="button second" href="${taskPath(accountId, task)}/video">Download</a></p>`}
</li>`

const refusals: Record<string, string> = {
  insufficient_credits: 'Your balances were too low for this one.',
  unfinished_task_limit: 'The account had as many running videos as it may have. Wait until one of them is done.',
  rate_limited: 'Too many videos were requested within a minute.',
  budget_exceeded: 'A budget had too few credits left for this one.',
  max_credits_exceeded: 'Its price is above your price limit.',
  prompt_rejected: 'The content of the request was refused.',
  generation_unavailable: 'No provider of this model was available.',
}

/** Only what surely made no video is said to be free: other errors of a server, and a key that is bound, say nothing of it. */
function refusedCard(accountId: string, { modelId, status, code }: Refused, like: TaskView | undefined): Html {
  const why = Object.hasOwn(refusals, code) ? refusals[code] : 'The model doesn’t accept the request.'
  const isSure = code !== 'idempotency_key_reused' && (/^4\d\d$/.test(status) || code === 'generation_unavailable')
  const text = isSure
    ? html`${why} Nothing was charged.`
    : html`It is not known what became of this one. If it was made, it is among <a href="${accountPath(accountId, 'tasks')}">your tasks</a>.`
  const again = `${accountPath(accountId, 'playground')}?${new URLSearchParams({ task: like?.id ?? '', model: modelId }).toString()}`
  return html`<li class="task">
<h2>${modelId}</h2>
<div class="screen"><div class="notice wrong"><p>${text}</p></div></div>
${isSure && html`<p class="row"><a class="button second" href="${again}">Try this model again</a></p>`}
</li>`
}
