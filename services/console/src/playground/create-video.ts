import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Gateway, GatewayResult, TaskView } from '../gateway/gateway'
import { insertSubmittedForm } from '../http/form-repository'
import type { Person } from '../http/person'
import { insertAwaitedTask } from '../task-notifications/awaited-task-repository'
import type { RequestBody } from './form/build-request'

/** An admission takes up to 250 s. */
const admissionMsMax = 260_000

export type CreateVideoDeps = { gateway: Gateway; sql: Sql }
type CreateVideoInput = { person: Person; accountId: string; formId: string; body: RequestBody }

/**
 * Creates a video with the form's id as Idempotency-Key, so that a resent form is the same task. The audit entry is
 * written once.
 */
export async function createVideo(
  { gateway, sql }: CreateVideoDeps,
  { person, accountId, formId, body }: CreateVideoInput,
): Promise<GatewayResult<TaskView>> {
  const answer = await gateway.request<TaskView>(person, {
    method: 'POST',
    path: `/accounts/${accountId}/generations`,
    headers: { 'idempotency-key': formId },
    body,
    timeoutMs: admissionMsMax,
  })
  if (answer.ok) {
    const { id, model, mode, credits_used } = answer.value
    await sql.begin(async sql => {
      if (!(await insertSubmittedForm(sql, formId))) return
      await insertAwaitedTask(sql, { taskId: id, accountId, personId: person.id })
      await insertAuditEntry(sql, person, { accountId, action: 'video.made', subject: id, details: { model, mode, credits: credits_used } })
    })
  }
  return answer
}

/** Whether the same form may be resent: the outcome is unknown, or the request came too early. */
export const canResubmit = ({ status }: { status: number }): boolean => status === 429 || status >= 500
