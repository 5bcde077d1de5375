import type { Reasons } from '@filmgate/kit/failure'
import { requestReasons } from '@filmgate/kit/request/reasons'

/** What an operator's request can be refused for. */
export const reasons = {
  ...requestReasons,
  account_not_found: [404, 'No such account.'],
  task_not_found: [404, 'No reservation and no refusal of this task.'],
  audit_running: [409, 'Another audit of these books is under way. Ask again once it has ended.'],
  contradiction_not_found: [404, 'This task has no contradiction that waits for an acknowledgement.'],
  reservation_exists: [409, 'Credits are reserved for this task: end it where its attempts are, at the dispatcher.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
