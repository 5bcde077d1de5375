import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { encode, topicName, topics } from '@filmgate/proto/topics'

/** The event that opens an account's books; repeated ones change nothing. */
export const openedMessage = (topicPrefix: string, { accountId, name, at }: { accountId: string; name: string; at: Date }) => ({
  topic: topicName(topicPrefix, 'requests'),
  key: accountId,
  value: encode(topics.requests.schema, { event: { case: 'accountOpened', value: { accountId, name, at: timestampFromDate(at) } } }),
})

type SetLimits = { accountId: string; version: number; at: Date; unfinishedTasksMax: number | null }

/** The event with the limits that the ledger decides by; null: its own setting holds. */
export function limitsMessage(topicPrefix: string, { accountId, version, at, unfinishedTasksMax }: SetLimits) {
  const value = {
    ...{ accountId, version: BigInt(version), at: timestampFromDate(at) },
    ...(unfinishedTasksMax !== null && { unfinishedTasksMax }),
  }
  return {
    topic: topicName(topicPrefix, 'requests'),
    key: accountId,
    value: encode(topics.requests.schema, { event: { case: 'accountLimitsSet', value } }),
  }
}
