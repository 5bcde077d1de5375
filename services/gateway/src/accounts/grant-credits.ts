import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox'
import type { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import type { Reason } from '../errors'
import type { CreditsDeps } from './routes'

export type Grant = { accountId: string; credits: number; balance: Balance; reason: string; at: Date }

/** The event that grants credits; its grant id makes it count once. */
export function grantMessage(topicPrefix: string, { accountId, credits, balance, reason, at }: Grant, grantId = uuidv7()) {
  const value = encode(topics.requests.schema, {
    event: { case: 'creditsGranted', value: { grantId, accountId, balance, credits: BigInt(credits), reason, at: timestampFromDate(at) } },
  })
  return { topic: topicName(topicPrefix, 'requests'), key: accountId, value }
}

/** Asks the ledger to grant credits; returns the grant's id. */
export async function grantCredits(
  deps: CreditsDeps & { outbox: Outbox; topicPrefix: string },
  grant: Grant,
): Promise<{ grantId: string }> {
  if (!(await deps.findBalance(grant.accountId))) throw new Failure<Reason>('account_not_found')
  const grantId = uuidv7()
  await deps.outbox.transaction(async (_, send) => send([grantMessage(deps.topicPrefix, grant, grantId)]))
  return { grantId }
}
