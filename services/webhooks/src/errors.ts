import type { Reasons } from '@filmgate/kit/failure'
import { requestReasons } from '@filmgate/kit/request/reasons'

export const reasons = {
  ...requestReasons,
  token_required: [401, 'Send the token of this API as a bearer token.'],
  not_found: [404, 'There is no such webhook endpoint or delivery.'],
  endpoint_limit: [409, 'This account has as many webhook endpoints as it may have. Delete one first.'],
  test_limit: [429, 'This endpoint has had as many tests as it may have in an hour. Try again later.'],
  replay_running: [429, 'A replay of this account is running. Try again in a few seconds.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
