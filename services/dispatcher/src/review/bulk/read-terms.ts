import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { ReviewOutcome } from '../decide-review'
import { momentFault, readMoment } from '../read-filter'
import type { BulkTerms } from './bulk-repository'

type RawTerms = { provider: string; from: string; to: string; cause?: string; outcome: ReviewOutcome }

/** The terms with their times (400 where they are none). An end that is past means the same reviews whenever it is read. */
export function readTerms({ from, to, cause, ...rest }: RawTerms, now: Date): BulkTerms {
  const times = { from: momentOf('from', from), to: momentOf('to', to) }
  if (times.from >= times.to) throw fault('from must be before to')
  if (times.to > now) throw fault('to must not be in the future: reviews that nobody has seen would be ended')
  return { ...rest, ...times, cause: cause ?? null }
}

function momentOf(name: string, value: string): Date {
  const at = readMoment(value)
  if (at === undefined) throw fault(`${name} ${momentFault}`)
  return at
}

const fault = (words: string) => new Failure<Reason>('invalid_request', { message: `The request has a fault: ${words}.` })
