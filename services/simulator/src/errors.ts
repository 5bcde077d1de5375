import { Failure, type FailureOptions, type Reasons } from '@filmgate/kit/failure'

/** Every reason that the behaviour `refuse` can name is among these. */
export const reasons = {
  invalid_request: [400, 'The request has a fault.'],
  invalid_json: [400, 'The body is not JSON.'],
  unauthorized: [401, 'Send the key as "Authorization: Bearer …".'],
  balance_exhausted: [402, 'The account at this provider has no balance left.'],
  forbidden: [403, 'This key may not use that model.'],
  not_found: [404, 'No such thing.'],
  client_task_id_reused: [409, 'This client_task_id was accepted with another body.'],
  not_cancellable: [409, 'This generation is not to be cancelled.'],
  input_unreachable: [422, 'An input could not be fetched.'],
  content_rejected: [422, 'The prompt was refused by the content rules.'],
  too_many_requests: [429, 'Too many requests.'],
  internal_error: [500, 'Something went wrong at the provider.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
export const refuse = (reason: Reason, options?: FailureOptions) => new Failure<Reason>(reason, options)

/** Where the bearer is not the simulator's one key. */
export const unauthorized = () => refuse('unauthorized')
