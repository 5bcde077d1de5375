import { Failure } from '@filmgate/kit/failure'
import { namesUpload, uploadAt } from '@filmgate/kit/upload-url'
import type { CompiledModel } from '../catalog/compile-card'
import { inputsOf } from '../catalog/order-of'
import type { GenerationRequest } from '../catalog/request'
import type { Reason } from '../errors'
import type { Issue } from '../issues/issue'

/** Refuses a request (400) that names an upload which is not of this account, before anything is recorded. */
export function refuseForeignUploads(model: CompiledModel, request: GenerationRequest, accountId: string): void {
  const values: Record<string, unknown> = request
  const issues = inputsOf(model.modeOf(request), request).flatMap(({ field = '', index = 0, url = '' }): Issue[] => {
    if (!namesUpload(url) || uploadAt(url)?.accountId === accountId) return []
    const path = Array.isArray(values[field]) ? `${field}[${index}]` : field
    return [{ path, rule: 'public_host', message: `${path} must be an upload of this account` }]
  })
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
}
