import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { attemptIdOf } from './attempt-id'
import { type NewAttempt, sentToNobody } from './plan-attempts'

type Ended = Pick<NewAttempt, 'taskId' | 'accountId' | 'model' | 'traceparent' | 'code' | 'cause'>

/** A refused attempt of a task whose order has not come. Its number is that of the order's own first one, so that the order starts nothing. */
export const attemptInPlaceOfOrder = (deps: { attemptSecret: string; now(): Date }, ended: Ended): NewAttempt => ({
  ...ended,
  id: attemptIdOf(deps.attemptSecret, { taskId: ended.taskId, createdAt: timestampFromDate(deps.now()) }, 1),
  number: 1,
  ...sentToNobody,
  source: { topic: 'credits', bytes: new Uint8Array() },
})
