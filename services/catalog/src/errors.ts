import type { Reasons } from '@filmgate/kit/failure'

/** The catalog answers only whether it is well; nobody asks it for cards over HTTP. */
export const reasons = {
  not_found: [404, 'No such route.'],
  invalid_json: [400, 'The body is not JSON.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons
