import { PublishedEvents } from '@filmgate/proto/operator/task'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

/** In the pipeline's order: what the first tells again, the others answer anyway. */
const pipeline = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const

export type ToldBy = { service: string; told: string }

/** Has every service tell once more what it knows of a task. One that doesn't answer is said to be silent; it is told by the others' events. */
export async function taskRetell(call: Call, { taskId }: { taskId: string }): Promise<ToldBy[]> {
  const answers: ToldBy[] = []
  for (const service of pipeline) answers.push({ service, told: await askedToTell(call, service, taskId) })
  if (answers.every(({ told }) => told === unknown)) throw new OpsFault(`No service knows ${taskId}.`)
  return answers
}

const unknown = '(does not know the task)'

async function askedToTell(call: Call, service: (typeof pipeline)[number], taskId: string): Promise<string> {
  try {
    const { told } = await callFor(call, PublishedEvents, service, 'POST', `/tasks/${encodeURIComponent(taskId)}/retell`)
    return told.join(', ') || '(nothing to tell)'
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    return error.status === 404 ? unknown : `(silent) ${error.message}`
  }
}
