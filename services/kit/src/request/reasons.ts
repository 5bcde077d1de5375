import type { Reasons } from '../failure'

/** What any request to any service can be refused for; each service's table has these and its own. */
export const requestReasons = {
  invalid_request: [400, 'The request has a fault. See details.issues.'],
  invalid_content_type: [400, 'Send the body with Content-Type: application/json.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  operator_token_required: [401, 'Send the operator token as a bearer token.'],
  operator_mismatch: [403, 'This token is of another operator. Leave the name out, or send that of the token.'],
  operator_role_insufficient: [403, 'The role of this token does not allow that. See details.needed.'],
  not_found: [404, 'No such route.'],
  body_too_large: [413, 'The body is larger than 64 KiB.'],
  service_unavailable: [503, 'Temporarily unavailable. Try again after the seconds in Retry-After.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons
