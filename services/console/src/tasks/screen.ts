import { type Html, html } from '@filmgate/kit/http/html'
import type { TaskTimelineView, TaskView } from '../gateway/gateway'
import { failureText } from './failure-text'
import { progressBar } from './gallery/card'
import { phaseText, titleOf } from './task-text'
import { waitingNote } from './timeline'

/** The video of a task; until there is one, what it waits for, or why it failed. */
export function screen(task: TaskView, waiting: TaskTimelineView['waiting']): Html {
  if (task.output !== null)
    return html`<video controls preload="metadata" playsinline src="${task.output.video_url}"${task.poster_url !== null && html` poster="${task.poster_url}"`} aria-label="${titleOf(task)}"></video>`
  if (task.status === 'failed') {
    const { why, retry } = failureText(task)
    return html`<div class="notice wrong"><p>${why}</p>${retry !== '' && html`<p>${retry}</p>`}${refundText(task)}</div>`
  }
  return html`<div class="making-of"><p>${phaseText(task)}…</p>${progressBar(task)}${waiting ? waitingNote(waiting) : false}<p class="soft">This page updates automatically. You can leave it.${waiting?.for !== 'outcome' && ' The video is created anyway.'}</p></div>`
}

const refundText = ({ billing_status: billing }: TaskView): Html | false =>
  billing === 'refunded'
    ? html`<p>Nothing was charged. The credits were refunded.</p>`
    : billing === 'refund_pending' && html`<p>The credits are being refunded.</p>`
