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

/**
 * A video of each model at once, each under a form id of its own. Whether one is refused says nothing of the others.
 * Throws only if nothing is known of any.
 */
export async function createVideos(deps: CreateVideoDeps, input: Input): Promise<CreateResult[]> {
  const { person, accountId, formIds, models, modeName, mode, values } = input
  const settled = await Promise.allSettled(
    models.map(({ id }, index) => {
      const body = buildRequest(id, modeName, mode, values)
      return createVideo(deps, { person, accountId, formId: formIds[index] ?? '', body })
    }),
  )
  const rejected = settled.filter(each => each.status === 'rejected')
  if (rejected.length === settled.length) throw rejected[0]?.reason
  return models.map(({ id: modelId }, index) => {
    const each = settled[index]
    return { modelId, result: each?.status === 'fulfilled' ? each.value : noAnswer }
  })
}

const noAnswer = { ok: false, status: 503, code: 'service_unavailable', message: 'Filmgate is not available at the moment.' } as const

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
