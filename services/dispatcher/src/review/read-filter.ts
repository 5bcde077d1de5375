import { Failure } from '@filmgate/kit/failure'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import type { Reason } from '../errors'
import type { ReviewFilter } from './review-repository'

export const providerForm = '^[a-z0-9-]{1,40}$'
export const causeCharactersMax = 200

/** The filter of a list of reviews, as its query has it. Every fault is named at once (400). */
export function readFilter(query: URLSearchParams): ReviewFilter {
  const faults: string[] = []
  const text = (name: string, fits: (value: string) => boolean, fault: string): string | undefined => {
    const value = query.get(name)
    if (value === null || fits(value)) return value ?? undefined
    faults.push(`${name} ${fault}`)
    return undefined
  }
  const moment = (name: string): Date | undefined => {
    const value = text(name, value => readMoment(value) !== undefined, momentFault)
    return value === undefined ? undefined : readMoment(value)
  }
  const provider = text('provider', value => new RegExp(providerForm).test(value), 'must be the name of a provider')
  const cause = text('cause', isCause, `must have from 1 to ${causeCharactersMax} characters`)
  const [from, to] = [moment('from'), moment('to')]
  if (faults.length > 0) throw new Failure<Reason>('invalid_request', { message: `The query has a fault: ${faults.join('; ')}.` })
  return { ...(provider && { provider }), ...(cause && { cause }), ...(from && { from }), ...(to && { to }) }
}

const isCause = (value: string): boolean => value.length >= 1 && value.length <= causeCharactersMax && !value.includes('\0')

export const momentFault = 'must be a moment like 2026-11-21T08:30:00Z'

/** A moment of RFC 3339 that a row holds. */
export function readMoment(value: string): Date | undefined {
  const at = rfc3339(value)
  return at !== undefined && at.getTime() >= 0 ? at : undefined
}
