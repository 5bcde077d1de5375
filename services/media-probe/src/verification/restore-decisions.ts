import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { MediaEvent } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { decode, topics } from '@filmgate/proto/topics'
import type { Reason } from '../errors'
import { insertDecision } from './decision-repository'
import type { VerificationState } from './states'
import { insertVerifications, transitionVerification } from './verification-repository'

/**
 * Records decisions as they were published, of tasks that a restored database has not decided: a file that was accepted is not checked again, by
 * when its admission is over and its video made. A job that is due finds the decision and ends. Returns how many were new. Throws Failure where
 * one of the events can't be read, and records none.
 */
export async function restoreDecisions(sql: Sql, events: Uint8Array[]): Promise<number> {
  const decisions = events.map((bytes, index) => ({ bytes, decision: readDecision(bytes, index) }))
  return sql.begin(async sql => {
    let restored = 0
    for (const { bytes, decision } of decisions) {
      if (!decision) continue
      const { taskId, accountId, state, objectKeys } = decision
      await insertVerifications(sql, [{ taskId, accountId }])
      if (!(await transitionVerification(sql, taskId, state, objectKeys))) continue
      await insertDecision(sql, taskId, bytes)
      restored += 1
    }
    return restored
  })
}

/** Undefined for a message of the topic that decides nothing. Throws Failure for what is no message, or has an id that no row can have. */
function readDecision(bytes: Uint8Array, index: number): Published | undefined {
  try {
    const decision = decisionOf(decode(topics.media.schema, bytes))
    const texts = decision ? [decision.taskId, decision.accountId, ...decision.objectKeys] : []
    if (texts.every(text => nameForm.test(text))) return decision
  } catch {
    // Refused below, as what names no rows of ours.
  }
  throw new Failure<Reason>('invalid_request', { message: `The body has a fault: events[${index}] is no decision about media.` })
}

const nameForm = /^[\w./:-]{1,300}$/

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
