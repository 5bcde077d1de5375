import { isDataFault, isTransient } from '../../database/postgres'
import { InvariantError } from '../../failure'
import { UnprocessableMessage } from '../unprocessable-message'

/**
 * `passing`: a backend is in trouble, whatever the message says. `message`: what the message says can't be written.
 * `unknown`: ours or the message's, which only its neighbours tell (docs/decisions/0107).
 */
export type FaultKind = 'passing' | 'message' | 'unknown'

export function faultKind(error: unknown): FaultKind {
  if (isTransient(error)) return 'passing'
  return error instanceof UnprocessableMessage || isDataFault(error) ? 'message' : 'unknown'
}

const programErrors = [TypeError, RangeError, ReferenceError, SyntaxError, InvariantError]

/** True for what our own code threw and no backend: drivers give their errors a code. */
export const isProgramFault = (error: unknown): boolean =>
  programErrors.some(kind => error instanceof kind) && !(error instanceof Error && 'code' in error)

/** True where the time was too short: for a statement (57014), or for the whole. It may be long enough for fewer messages. */
export const isOutOfTime = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DeadlineError' || causeOf(error) === '57014')

/** Few words for a metric's label: the SQLSTATE or code, else the error's name. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' && error.code ? error.code : error.name
}
