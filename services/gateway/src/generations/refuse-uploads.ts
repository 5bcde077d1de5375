import { Failure } from '@filmgate/kit/failure'
import { namesUpload, uploadAt, uploadsHost } from '@filmgate/kit/upload-url'
import type { CompiledModel } from '../catalog/compile-card'
import { inputsOf } from '../catalog/order-of'
import type { GenerationRequest } from '../catalog/request'
import type { Reason } from '../errors'
import type { Issue } from '../issues/issue'

/** Whose uploads a request may name; null: nobody's, as through the API. */
export type UploadsOf = string | null

/** Refuses a request (400) that names an upload which is not of this account, before anything is recorded. */
export function refuseForeignUploads(model: CompiledModel, request: GenerationRequest, uploadsOf: UploadsOf): void {
  const values: Record<string, unknown> = request
  const issues = inputsOf(model.modeOf(request), request).flatMap(({ field = '', index = 0, url = '' }): Issue[] => {
    if (!namesUpload(url)) return []
    if (uploadsOf !== null && uploadAt(url)?.accountId === uploadsOf) return []
    const path = Array.isArray(values[field]) ? `${field}[${index}]` : field
    const message = uploadsOf === null ? `must name a public host, and names ${uploadsHost}` : 'must be an upload of this account'
    return [{ path, rule: 'public_host', message: `${path} ${message}` }]
  })
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
}
