import type { Person } from '../http/person'
import type { Mode, Model } from '../models/model'
import { type CreateVideoDeps, createVideo } from '../playground/create-video'
import { buildRequest, type Values } from '../playground/form/build-request'
import { comparePath } from './paths'

type Input = {
  person: Person
  accountId: string
  formIds: string[]
  models: Model[]
  modeName: string
  mode: Mode
  values: Values
}
export type CreateResult = { modelId: string; result: Awaited<ReturnType<typeof createVideo>> }

/** A video of each model at once, each under a form id of its own. Whether one is refused says nothing of the others. */
export const createVideos = (
  deps: CreateVideoDeps,
  { person, accountId, formIds, models, modeName, mode, values }: Input,
): Promise<CreateResult[]> =>
  Promise.all(
    models.map(async ({ id }, index) => {
      const body = buildRequest(id, modeName, mode, values)
      return { modelId: id, result: await createVideo(deps, { person, accountId, formId: formIds[index] ?? '', body }) }
    }),
  )

/** The task of a result. One whose outcome is not known has one, too. */
function taskIdOf({ result }: CreateResult): string | undefined {
  if (result.ok) return result.value.id
  const id = result.details?.task_id
  return typeof id === 'string' ? id : undefined
}

/** The page of the videos side by side, with each refusal as `<model> <status> <code>`; undefined if no result has a task. */
export function videosPath(accountId: string, results: CreateResult[]): string | undefined {
  const query = new URLSearchParams()
  for (const each of results) {
    const taskId = taskIdOf(each)
    if (taskId !== undefined) query.append('task', taskId)
    else if (!each.result.ok) query.append('refused', `${each.modelId} ${each.result.status} ${each.result.code}`)
  }
  return query.has('task') ? `${comparePath(accountId)}/videos?${query}` : undefined
}
