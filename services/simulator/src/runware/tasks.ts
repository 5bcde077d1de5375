import { Failure } from '@filmgate/kit/failure'
import { isKnownSize } from '../generation/frame-size'
import { generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { lookUp, type ReadDeps } from '../generation/read'
import { type SubmitDeps, submit } from '../generation/submit'
import { accepted, conflict, nothing, type Reply, refusal, refused, replyOf } from './answers'
import { faultOf, formOf, isTaskUuid, type Task } from './forms'
import { readTask } from './read-task'

export type TaskDeps = SubmitDeps & ReadDeps & { store: GenerationStore }

/** What a task comes to: what is told, or how the connection breaks. */
export type Outcome = Reply | 'dropped' | 'bad_json'

/** One task of a list, by its type: runware.ai/docs/platform/introduction. */
export async function runTask(deps: TaskDeps, task: Task): Promise<Outcome> {
  if (!isTaskUuid(task.taskUUID))
    return refused(400, task, { code: 'invalidTaskUUID', message: 'taskUUID must be a UUID v4.', parameter: 'taskUUID' })
  if (task.taskType === 'getResponse') return tell(deps, task, task.taskUUID)
  if (task.taskType === 'videoInference') return take(deps, task)
  return refused(400, task, { code: 'unsupportedTaskType', message: 'No such task here.', parameter: 'taskType' })
}

async function take(deps: TaskDeps, task: Task): Promise<Outcome> {
  const form = formOf(task.model)
  if (!form) return refused(400, task, { code: 'invalidModel', message: 'No such model here.', parameter: 'model' })
  const fault = faultOf(form, task)
  if (fault) return refused(400, task, fault)
  const request = readTask(form, task)
  if (!generationForm.Check(request) || !isKnownSize(request.resolution, request.aspect_ratio))
    return refused(400, task, { code: 'validationFailed', message: 'Nothing that can be rendered here.' })
  try {
    const fake = { name: 'runware' as const, model: form.model, origin: deps.origin, ...(task.includeCost === true && { tellsCost: true }) }
    const answer = await submit({ ...deps, newId: () => crypto.randomUUID() }, request, fake)
    if (answer.answered === 'dropped' || answer.answered === 'bad_json') return answer.answered
    if (answer.answered === 'replayed') return conflict(task)
    if (!('generation' in answer)) return refusal(new Failure('internal_error'), task)
    const { toldId, generation } = answer
    return accepted(toldId === generation.id ? request.client_task_id : toldId)
  } catch (error) {
    return refusal(error, task)
  }
}

/** By the caller's id, and no other: Runware gives none of its own. */
function tell(deps: TaskDeps, task: Task, taskUuid: string): Reply {
  const generation = deps.store.findByClientTaskId(taskUuid)
  if (generation?.fake?.name !== 'runware') return nothing
  try {
    const [view] = lookUp(deps, taskUuid)
    return view ? replyOf(view, generation) : nothing
  } catch (error) {
    return refusal(error, task)
  }
}
