import type { Actor, Gateway, TaskTimelineView } from '../gateway/gateway'
import { type Models, mediaKindOf } from '../models/model'
import { type HeadUploadDeps, isUploadThere, ownUploadKey } from '../uploads/own-upload'
import { type Values, valuesOf } from './form/build-request'
import { type ModelSelection, selectModel } from './select-model'

export type SimilarDeps = HeadUploadDeps & { gateway: Gateway }
/** `modelId`: another model than the task's, or ''. */
type Input = { actor: Actor; accountId: string; taskId: string; modelId: string; models: Models }
export type SimilarRequest = ModelSelection & { values: Values; hasLostFiles: boolean }

/** The form filled in as for a task of the account. Uploads that are deleted by now are left out. */
export async function readSimilar(deps: SimilarDeps, { actor, accountId, taskId, modelId, models }: Input): Promise<SimilarRequest> {
  const path = `/accounts/${accountId}/tasks/${encodeURIComponent(taskId)}/story`
  const { task, request } = await deps.gateway.get<TaskTimelineView>(actor, path)
  const chosen = selectModel(models, modelId || task.model, task.mode)
  const columns = { prompt: task.prompt, resolution: task.resolution, duration: task.duration_seconds }
  const values = valuesOf({ ...columns, ...request }, chosen.mode)
  const lost = await lostUploads(deps, values, accountId)
  return { ...chosen, values: without(values, lost), hasLostFiles: lost.size > 0 }
}

const urlsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Those that the store surely doesn't have: the form keeps what it doesn't answer for. */
async function lostUploads(deps: SimilarDeps, values: Values, accountId: string): Promise<Set<string>> {
  const urls = Object.entries(values).flatMap(([name, text]) => (mediaKindOf(name) ? urlsOf(text) : []))
  const lost = await Promise.all(
    urls.map(async url => {
      const key = ownUploadKey(url, accountId)
      return key !== undefined && (await isUploadThere(deps, key)) === false ? [url] : []
    }),
  )
  return new Set(lost.flat())
}

/** Seconds belong to all files of their field, so they go with the first that is missing. */
function without(values: Values, lost: Set<string>): Values {
  const kept = { ...values }
  for (const [name, text] of Object.entries(values)) {
    const urls = urlsOf(text)
    if (!urls.some(url => lost.has(url))) continue
    kept[name] = urls.filter(url => !lost.has(url)).join('\n')
    const seconds = name.replace(/_urls$/, '_durations')
    if (kept[seconds] !== undefined && seconds !== name) kept[seconds] = ''
  }
  return kept
}
