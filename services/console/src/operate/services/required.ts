import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import { type Told, wordsOf } from './services'

/** What a page cannot do without: a thing that is not there is a page that is not there; a service that does not answer is named. */
export function required<T>(told: Told<T>): T {
  if (told.ok) return told.value
  // An id that no row could hold names nothing either.
  if (told.status === 404 || told.status === 400) throw new Failure<Reason>('not_found')
  throw new Failure<Reason>('service_unavailable', { message: `${wordsOf(told)} Try again in a moment.` })
}
