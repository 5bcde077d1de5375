import type { Sql } from '@filmgate/kit/database/postgres'
import type { MediaEvent } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { insertDecision } from './decision-repository'
import type { VerificationState } from './states'
import { insertVerifications, transitionVerification } from './verification-repository'

/**
 * Records decisions as they were published, of tasks that a restored database has not decided: a file that was accepted is not checked again, by
 * when its admission is over and its video made. A job that is due finds the decision and ends. Returns how many were new.
 */
export const restoreDecisions = (sql: Sql, events: Uint8Array[]): Promise<number> =>
  sql.begin(async sql => {
    let restored = 0
    for (const bytes of events) {
      const decision = decisionOf(decode(topics.media.schema, bytes))
      if (!decision) continue
      const { taskId, accountId, state, objectKeys } = decision
      await insertVerifications(sql, [{ taskId, accountId }])
      if (!(await transitionVerification(sql, taskId, state, objectKeys))) continue
      await insertDecision(sql, taskId, bytes)
      restored += 1
    }
    return restored
  })

type Published = { taskId: string; accountId: string; state: VerificationState; objectKeys: string[] }

function decisionOf({ event }: MediaEvent): Published | undefined {
  if (event.case === 'mediaRejected') {
    const { taskId, accountId } = event.value
    return { taskId, accountId, state: 'rejected', objectKeys: [] }
  }
  const order = event.case === 'mediaVerified' ? event.value.order : undefined
  if (event.case !== 'mediaVerified' || !order) return undefined
  const { taskId, accountId } = order
  return { taskId, accountId, state: 'verified', objectKeys: event.value.media.map(({ objectKey }) => objectKey) }
}
