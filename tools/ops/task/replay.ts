import { PublishedEvents } from '@filmgate/proto/operator/task'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

/** In the pipeline's order: each service also answers what the one before it publishes. */
const pipeline = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const

export type Published = { service: string; published: string }

/** Has every service publish a task's events again, from its own rows. One that doesn't answer is named; the others' events reach it later. */
export async function taskReplay(call: Call, { taskId }: { taskId: string }): Promise<Published[]> {
  const answers: Published[] = []
  for (const service of pipeline) answers.push({ service, published: await replayAt(call, service, taskId) })
  if (answers.every(({ published }) => published === unknown)) throw new OpsFault(`No service knows ${taskId}.`)
  return answers
}

const unknown = '(does not know the task)'

async function replayAt(call: Call, service: (typeof pipeline)[number], taskId: string): Promise<string> {
  try {
    const { published } = await callFor(call, PublishedEvents, service, 'POST', `/tasks/${encodeURIComponent(taskId)}/replay`)
    return published.join(', ') || '(nothing)'
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    return error.status === 404 ? unknown : `(no answer) ${error.message}`
  }
}
