import { OutputFact, TaskFact } from '@filmgate/proto/operator/facts'
import { taskIdAt } from '@filmgate/proto/task-id'
import type { Services } from '../../services/services'
import type { Comparison, Difference, IdRange } from './comparison'
import { listFacts } from './list-facts'

/** Each output is a call to the store: of so much time, so many are compared. The dispatcher lists no more at once. */
const sliceMs = 900_000
const outputsOfSliceMax = 100

/**
 * The dispatcher's outputs and the objects of the store, which the dispatcher looks up: the first of each quarter of an
 * hour. A file that its client has deleted is not missed.
 */
export function storedOutputs(services: Services): Comparison<OutputFact, never> {
  const list = listFacts(services, 'dispatcher', { path: 'outputs', fact: OutputFact })
  const listTasks = listFacts(services, 'gateway', { path: 'tasks', fact: TaskFact })
  const isDeleted = async (id: string) => (await listTasks({ id }, 1))[0]?.deleted === true
  return {
    async left(range) {
      const outputs: OutputFact[] = []
      for (const output of await list(range, outputsOfSliceMax))
        if (output.stored_bytes !== null || !(await isDeleted(output.task_id))) outputs.push(output)
      return outputs
    },
    right: async () => [],
    idOf: ({ task_id }) => task_id,
    rangesOf({ since, until }) {
      const ranges: IdRange[] = []
      for (let from = since.getTime(); from < until.getTime(); from += sliceMs)
        ranges.push({ after: taskIdAt(new Date(from)), through: taskIdAt(new Date(Math.min(from + sliceMs, until.getTime()))) })
      return ranges
    },
    differences: ({ left }) => (left ? compareOutput(left) : []),
  }
}

export function compareOutput({ task_id: subject, key, bytes, stored_bytes }: OutputFact): Difference[] {
  if (stored_bytes !== null && (bytes === null || stored_bytes === bytes)) return []
  const detail = `the dispatcher has its output ${key} with ${bytes} bytes, the store ${stored_bytes === null ? 'has no such object' : `with ${stored_bytes}`}`
  const check = stored_bytes === null ? 'output_missing' : 'output_differs'
  return [{ check, subject, detail, act: 'ops task restore-outputs --since <moment>; a video that is lost: grant the credits back' }]
}
