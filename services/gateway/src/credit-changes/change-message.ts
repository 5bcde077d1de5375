import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { type ChangeTerms, type NewChange, wordsOf } from './credit-change'

/** The event that grants or debits credits; the change's id makes it count once. */
export function changeMessage(
  topicPrefix: string,
  { id, kind, accountId, balance, credits, reason, operator, beyondBalance = false, askedAt }: NewChange,
) {
  const terms = {
    accountId,
    balance: balance === 'paid' ? Balance.PAID : Balance.STARTER,
    credits: BigInt(credits),
    reason,
    operator,
    at: timestampFromDate(askedAt),
  }
  const event =
    kind === 'grant'
      ? { case: 'creditsGranted' as const, value: { ...terms, grantId: id } }
      : { case: 'creditsDebited' as const, value: { ...terms, debitId: id, beyondBalance } }
  return { topic: topicName(topicPrefix, 'requests'), key: accountId, value: encode(topics.requests.schema, { event }) }
}

/** Tells the ledger, whose audit shows it, that an id was asked for with other terms. */
export function reusedMessage(topicPrefix: string, asked: NewChange, known: ChangeTerms) {
  const { id: changeId, accountId, askedAt } = asked
  const value = { changeId, accountId, asked: wordsOf(asked), known: wordsOf(known), at: timestampFromDate(askedAt) }
  return {
    topic: topicName(topicPrefix, 'requests'),
    key: accountId,
    value: encode(topics.requests.schema, { event: { case: 'changeIdReused', value } }),
  }
}
