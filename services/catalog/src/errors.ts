import type { Reasons } from '@filmgate/kit/failure'

/** Over HTTP the catalog answers only health checks and metrics. */
export const reasons = {
  not_found: [404, 'No such route.'],
  invalid_json: [400, 'The body is not JSON.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons
