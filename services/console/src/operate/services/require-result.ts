import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import { errorMessage, type ServiceResult } from './services'

/** Returns the data that a page needs. Not found becomes 404; an unavailable service is named. */
export function requireResult<T>(result: ServiceResult<T>): T {
  if (result.ok) return result.value
  // An invalid id is not found either.
  if (result.status === 404 || result.status === 400) throw new Failure<Reason>('not_found')
  throw new Failure<Reason>('service_unavailable', { message: `${errorMessage(result)} Try again in a moment.` })
}
