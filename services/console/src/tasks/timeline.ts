import { type Html, html } from '@filmgate/kit/http/html'
import type { TaskTimelineView, TaskView } from '../gateway/gateway'
import { time } from '../layout/numbers'

type Waiting = NonNullable<TaskTimelineView['waiting']>

const lookedInto = 'Then it is looked into, and the credits stay held until the outcome is known.'

/** What it waits for, and what happens without it. */
const waitingTexts: Record<string, { what: string; after?: string }> = {
  admission: { what: 'It waits for a provider to take the request', after: 'Then it is refused, and nothing is charged.' },
  provider: { what: 'It waits for the provider to finish the video', after: lookedInto },
  file: { what: 'The provider says that the video is done, but gives no file of it yet. It is asked again', after: lookedInto },
  status: { what: 'The provider reports a status that we don’t know. It is asked again', after: lookedInto },
  storage: { what: 'It waits for the copy of the video to our storage, which takes seconds' },
  booking: { what: 'It waits for its credits to be booked, which takes moments' },
  outcome: {
    what: 'Whether the provider made the video is being found out. The credits stay held until then: they are charged for a video, and returned without one',
  },
}

export function waitingNote({ for: what, until }: Waiting): Html | false {
  const text = waitingTexts[what]
  if (!text) return false
  const latest = until !== null && text.after !== undefined && html`, until ${time(until)} at the latest`
  return html`<p>${text.what}${latest}.${latest && ` ${text.after}`}</p>`
}

/** Each step with the time that it took, counted from the step before it. */
export function timelineOf({ status, created_at, updated_at }: TaskView, events: TaskTimelineView['events']): Html {
  const times = [created_at, ...events.map(({ at }) => at)]
  const steps = events.map(
    ({ summary, at }, index) =>
      html`<li><span>${summary}</span> <span class="when"><span class="took">${tookText(Date.parse(at) - Date.parse(times[index] ?? at))}</span> ${time(at)}</span></li>`,
  )
  const last = Date.parse(times.at(-1) ?? updated_at)
  const whole = status !== 'processing' && events.length > 0
  return html`<ol class="story"><li><span>You sent the request</span> <span class="when">${time(created_at)}</span></li>${steps}</ol>
${whole && html`<p class="soft">It took ${tookText(last - Date.parse(created_at))} in all.</p>`}`
}

/** `0.4 s`, `12 s`, `2 min 5 s`, `1 h 10 min`. Clocks of two services may differ by moments. */
export function tookText(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}
