import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { pause } from '@filmgate/kit/deadline'
import type { Outbox } from '@filmgate/kit/outbox'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import { hashKey, newKey, newKeyId } from '../keys/api-key'
import { insertKey } from '../keys/key-repository'
import { insertAccount } from './account-repository'
import { grantMessage } from './grant-credits'
import type { CreditsDeps } from './routes'

export type OpenAccountDeps = CreditsDeps & { outbox: Outbox; topicPrefix: string; pepper: string; now(): Date }
export type OpenAccountInput = { name: string; credits: number; starterCredits: number }

const visibleWithinMs = 10_000

/** Opens an account with a first key and credits, and waits until the ledger has granted them, so that the key works at once. */
export async function openAccount(
  deps: OpenAccountDeps,
  { name, credits, starterCredits }: OpenAccountInput,
): Promise<{ accountId: string; apiKey: string }> {
  const accountId = `acct_${uuidv7().replaceAll('-', '')}`
  const keyId = newKeyId()
  const apiKey = newKey(keyId)
  const at = deps.now()
  await deps.outbox.transaction(async (sql, send) => {
    await insertAccount(sql, accountId, name)
    await insertKey(sql, { id: keyId, accountId, name: 'first', secretHash: hashKey(apiKey, deps.pepper), expiresAt: null })
    const opened = encode(topics.requests.schema, {
      event: { case: 'accountOpened', value: { accountId, name, at: timestampFromDate(at) } },
    })
    send([{ topic: topicName(deps.topicPrefix, 'requests'), key: accountId, value: opened }])
    if (credits > 0) send([grantMessage(deps.topicPrefix, { accountId, credits, balance: Balance.PAID, reason: 'account opened', at })])
    if (starterCredits > 0)
      send([grantMessage(deps.topicPrefix, { accountId, credits: starterCredits, balance: Balance.STARTER, reason: 'sign-up', at })])
  })
  const end = performance.now() + visibleWithinMs
  while (credits > 0 && performance.now() < end && ((await deps.findBalance(accountId))?.available ?? 0) < credits) await pause(50)
  return { accountId, apiKey }
}
