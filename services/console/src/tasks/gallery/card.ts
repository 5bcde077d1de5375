import { type Html, html } from '@filmgate/kit/http/html'
import type { TaskView } from '../../gateway/gateway'
import { accountPath } from '../../layout/menu'
import { time } from '../../layout/numbers'
import { failureText } from '../failure-text'
import { fileNameOf } from '../sign-download'
import { tagLinks } from '../tags'
import { phaseText, priceText, statusLabels, surfaceLabels, titleOf } from '../task-text'

const tagKinds: Record<TaskView['status'], string> = { processing: '', completed: ' good', failed: ' bad' }

export const statusTag = (task: TaskView): Html => html`<span class="tag${tagKinds[task.status]}">${statusLabels[task.status]}</span>`

export const taskPath = (accountId: string, { id }: Pick<TaskView, 'id'>): string => `${accountPath(accountId, 'tasks')}/${id}`

/** The task's progress, or an indeterminate bar. */
export const progressBar = (task: TaskView): Html =>
  html`<progress max="1"${task.progress !== null && html` value="${task.progress}"`} aria-label="${phaseText(task)}"></progress>`

/** A task in the gallery. */
export function taskCard(accountId: string, task: TaskView): Html {
  const tagged = tagLinks(accountPath(accountId, 'tasks'), task.tags)
  return html`<li class="task" data-task="${task.id}" data-status="${task.status}">
<a href="${taskPath(accountId, task)}"><span class="still">${thumbnail(task)}</span>
<span class="title">${titleOf(task)}</span></a>
<p class="facts">${statusTag(task)} <span>${task.model}</span> <span>${surfaceLabels[task.surface]}</span></p>
<p class="facts soft"><span>${priceText(task)}</span> ${time(task.created_at)}</p>
${tagged.length > 0 && html`<p class="facts soft">${tagged}</p>`}
${task.output !== null && choice(task, task.output.video_url)}
</li>`
}

/** Shown by the script that makes a ZIP of the chosen ones. */
const choice = (task: TaskView, url: string): Html =>
  html`<label class="check pick"><input type="checkbox" data-url="${url}" data-file="${fileNameOf(task)}" aria-label="Choose ${titleOf(task)}">Choose</label>`

function thumbnail(task: TaskView): Html {
  if (task.status === 'processing') return html`<span class="making-of">${phaseText(task)}${progressBar(task)}</span>`
  if (task.status === 'failed') return html`<span class="making-of">${failureText(task).why}</span>`
  if (task.poster_url !== null) return html`<img src="${task.poster_url}" alt="" loading="lazy">`
  return html`<span class="making-of">The video is ready</span>`
}
