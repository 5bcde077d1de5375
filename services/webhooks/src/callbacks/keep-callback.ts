import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { checkEndpointUrl } from '../endpoints/check-endpoint-url'
import { newEndpointId } from '../endpoints/create-endpoint'
import type { Reason } from '../errors'
import { isSigningSecret, signingSecretForm } from '../secrets/signing-key'
import type { Vault } from '../secrets/vault'
import { insertCallback } from './callback-repository'

export type KeepCallbackDeps = { sql: Sql; vault: Vault; policy: FetchPolicy }

/** As the client wrote it. */
export type CallbackFields = { callback_url?: unknown; callback_secret?: unknown }

/** Longer than any task takes to its first event. What is unused after it is of a request that was refused. */
const unusedDays = 2

/** Keeps where the events of a task are sent beside its account's endpoints. It comes before the task, and once: the first one stays. */
export async function keepCallback(
  { sql, vault, policy }: KeepCallbackDeps,
  { accountId, taskId, fields }: { accountId: string; taskId: string; fields: CallbackFields },
): Promise<void> {
  const { url, secret } = readCallback(policy, fields)
  const sealed = secret === undefined ? null : await vault.seal(taskId, secret)
  await insertCallback(sql, { taskId, accountId, url, secret: sealed, endpointId: newEndpointId(), keptDays: unusedDays })
}

function readCallback(policy: FetchPolicy, { callback_url: url, callback_secret: secret }: CallbackFields) {
  if (typeof url !== 'string') throw refused('callback_url', 'must be an https:// URL')
  checkEndpointUrl(policy, url, 'callback_url')
  if (secret !== undefined && !isSigningSecret(secret)) throw refused('callback_secret', `must be ${signingSecretForm}`)
  return { url, secret }
}

const refused = (path: string, words: string) =>
  new Failure<Reason>('invalid_request', { details: { issues: [{ path, rule: path, message: `${path} ${words}` }] } })
