import { listOf } from '@filmgate/proto/operator/answer'
import { OutputFact, TaskFact } from '@filmgate/proto/operator/facts'
import { PublishedEvents, RestoredOutput } from '@filmgate/proto/operator/task'
import { taskIdAt } from '@filmgate/proto/task-id'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

export type RestoreOutputsInput = { since: string }
/** `lost`: of which the provider has no copy any more, or none that can be had; with the dispatcher's words. */
export type RestoredOutputs = { compared: number; restored: number; lost: { task_id: string; cause: string }[] }

const pageRows = 100
const copiesAtOnce = 4

/** Has the dispatcher copy the videos again that the store has lost, of tasks begun since a moment; none that its client has deleted. */
export async function restoreOutputs(
  call: Call,
  { since }: RestoreOutputsInput,
  progress: (words: string) => void,
): Promise<RestoredOutputs> {
  const sum: RestoredOutputs = { compared: 0, restored: 0, lost: [] }
  for (let after = taskIdAt(new Date(since)); ; ) {
    const { data } = await callFor(call, listOf(OutputFact), 'dispatcher', 'GET', `/facts/outputs?after=${after}&limit=${pageRows}`)
    sum.compared += data.length
    const missing = data.filter(({ bytes, stored_bytes }) => stored_bytes === null || stored_bytes !== bytes)
    for (let at = 0; at < missing.length; at += copiesAtOnce)
      await Promise.all(missing.slice(at, at + copiesAtOnce).map(({ task_id }) => restore(call, task_id, sum)))
    const last = data.at(-1)
    if (!last || data.length < pageRows) return sum
    after = last.task_id
    progress(`${sum.compared} videos compared, ${sum.restored} restored, ${sum.lost.length} lost`)
  }
}

async function restore(call: Call, taskId: string, sum: RestoredOutputs): Promise<void> {
  const { data } = await callFor(call, listOf(TaskFact), 'gateway', 'GET', `/facts/tasks?id=${taskId}`)
  if (data[0]?.deleted) return
  try {
    await callFor(call, RestoredOutput, 'dispatcher', 'POST', `/tasks/${taskId}/restore-output`)
    // Published again, its end has the poster drawn.
    await callFor(call, PublishedEvents, 'dispatcher', 'POST', `/tasks/${taskId}/replay`)
    sum.restored += 1
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    sum.lost.push({ task_id: taskId, cause: error.message })
  }
}
