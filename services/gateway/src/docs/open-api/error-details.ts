import type { Reason } from '../../errors'
import { publicCodes } from './error-codes'

/** What `details` holds with a code: `always`, and what is there where it is known. */
export type Details = { always: string[]; sometimes?: string[] }

const media: Details = { always: ['task_id'], sometimes: ['url_index', 'field', 'measured', 'limit'] }

const special: Partial<Record<Reason, Details>> = {
  invalid_request: { always: ['issues'] },
  unsupported_field: { always: ['issues'] },
  unknown_model: { always: ['issues'] },
  invalid_json: { always: [], sometimes: ['issues'] },
  max_credits_exceeded: { always: ['price_credits', 'max_credits', 'price_version'] },
  prompt_rejected: { always: ['task_id'] },
  insufficient_credits: { always: ['required_credits', 'available_credits'] },
  budget_exceeded: { always: ['budget', 'period', 'required_credits', 'left_credits', 'resets_at'] },
  unfinished_task_limit: { always: [], sometimes: ['unfinished'] },
  rate_limited: { always: [], sometimes: ['limit'] },
  not_cancellable: { always: ['task_id', 'reason'] },
  cancelled: { always: ['task_id'] },
  acceptance_uncertain: { always: ['task_id'] },
  generation_unavailable: { always: [], sometimes: ['task_id', 'url_index', 'field'] },
}

/** Codes that are not here have no `details`. */
export const detailsOf: Partial<Record<Reason, Details>> = {
  ...Object.fromEntries(publicCodes.filter(code => code.startsWith('media_')).map(code => [code, media])),
  ...special,
}

/** The properties of `details` that an error with this code may have, as a table names them. */
export function detailNames(code: Reason): string[] {
  const { always, sometimes = [] } = detailsOf[code] ?? { always: [] }
  return [...always, ...sometimes]
}
