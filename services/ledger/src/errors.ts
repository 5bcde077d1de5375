import type { Reasons } from '@filmgate/kit/failure'

/** What an operator's request can be refused for. */
export const reasons = {
  invalid_request: [400, 'The request has a fault.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  operator_token_required: [401, 'Send the operator token as a bearer token.'],
  account_not_found: [404, 'No such account.'],
  task_not_found: [404, 'No reservation and no refusal of this task.'],
  audit_running: [409, 'Another audit of these books is under way. Ask again once it has ended.'],
  contradiction_not_found: [404, 'This task has no contradiction that waits for an acknowledgement.'],
  not_found: [404, 'No such route.'],
  reservation_exists: [409, 'Credits are reserved for this task: end it where its attempts are, at the dispatcher.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
