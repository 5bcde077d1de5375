import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import { insertAwaited } from '../awaited-tasks/awaited-repository'
import { insertTaken } from '../door/form-repository'
import type { Person } from '../door/person'
import type { Answered, Gateway, TaskView } from '../gateway/gateway'
import type { RequestBody } from './request-of'

/** An admission takes up to 250 s. */
const admissionMsMax = 260_000

type Asked = { person: Person; accountId: string; formId: string; body: RequestBody }

/** Asks for the video under the form's id: sent again, it is the same task. The act is written once. */
export async function makeVideo(
  { gateway, sql }: { gateway: Gateway; sql: Sql },
  { person, accountId, formId, body }: Asked,
): Promise<Answered<TaskView>> {
  const answer = await gateway.ask<TaskView>(person, {
    method: 'POST',
    path: `/accounts/${accountId}/generations`,
    headers: { 'idempotency-key': formId },
    body,
    timeoutMs: admissionMsMax,
  })
  if (answer.ok) {
    const { id, model, mode, credits_used } = answer.value
    await sql.begin(async sql => {
      if (!(await insertTaken(sql, formId))) return
      await insertAwaited(sql, { taskId: id, accountId, personId: person.id })
      await insertAct(sql, person, { accountId, act: 'video.made', subject: id, details: { model, mode, credits: credits_used } })
    })
  }
  return answer
}

/** Whether the same form may be sent again: nobody knows whether the task is there, or it was only asked too early. */
export const keepsForm = ({ status }: { status: number }): boolean => status === 429 || status >= 500
