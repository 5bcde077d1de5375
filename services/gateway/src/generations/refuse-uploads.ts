import { Failure } from '@filmgate/kit/failure'
import type { CompiledModel } from '../catalog/compile-card'
import { inputsOf } from '../catalog/order-of'
import type { GenerationRequest } from '../catalog/request'
import type { Reason } from '../errors'
import type { Issue } from '../issues/issue'

/** Not a host that anybody reaches: media-probe reads such an input from the bucket of uploads (docs/decisions/0714). */
const uploadsHost = 'uploads.filmgate.internal'
const uploadForm = /^https:\/\/uploads\.filmgate\.internal\/([A-Za-z0-9_-]{1,64})\/[A-Za-z0-9_-]{22}\.[a-z0-9]{1,5}$/

/** Whose uploads a request may name; null: nobody's, as through the API. */
export type UploadsOf = string | null

/** Refuses a request (400) that names an upload which is not of this account, before anything is recorded. */
export function refuseForeignUploads(model: CompiledModel, request: GenerationRequest, uploadsOf: UploadsOf): void {
  const values: Record<string, unknown> = request
  const issues = inputsOf(model.modeOf(request), request).flatMap(({ field = '', index = 0, url = '' }): Issue[] => {
    if (URL.parse(url)?.hostname !== uploadsHost) return []
    if (uploadsOf !== null && uploadForm.exec(url)?.[1] === uploadsOf) return []
    const path = Array.isArray(values[field]) ? `${field}[${index}]` : field
    const message = uploadsOf === null ? `must name a public host, and names ${uploadsHost}` : 'must be an upload of this account'
    return [{ path, rule: 'public_host', message: `${path} ${message}` }]
  })
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
}
