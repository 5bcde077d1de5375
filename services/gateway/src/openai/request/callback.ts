import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Issue, Values } from '../../issues/issue'
import type { CallWebhooks } from '../../webhooks/call-webhooks'

const charactersMax = 4_096
const keepMsMax = 2_000
const retryAfterSeconds = 5

/** Where the end of one task is to be told, as its client wrote it: the webhooks service says what is wrong with it. */
export type Callback = { callback_url?: unknown; callback_secret?: unknown }

/** Undefined where neither is sent; null says as little. */
export function callbackOf({ callback_url, callback_secret }: Values): Callback | undefined {
  const given = Object.entries({ callback_url, callback_secret }).filter(([, value]) => value !== undefined && value !== null)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** What is beyond any that the webhooks service takes, so that it is not sent there. */
export const oversizedIssues = (callback: Callback): Issue[] =>
  Object.entries(callback)
    .filter(([, value]) => JSON.stringify(value).length > charactersMax)
    .map(([path]) => ({ path, rule: 'max_length', message: `${path} has more than ${charactersMax} characters` }))

/** Of an installation without webhooks. */
export const callbacksOff: Issue = {
  path: 'callback_url',
  rule: 'unsupported_field',
  message: 'callback_url is not taken: webhooks are off here. Leave it out and read the video, or ask the operator to turn webhooks on',
}

export type KeepCallbackDeps = { callWebhooks: CallWebhooks }
type KeepInput = { accountId: string; taskId: string; callback: Callback }

/** Has the webhooks service keep the callback of a task that is not recorded yet. One of a version without callbacks is as one that is away. */
export async function keepCallback({ callWebhooks }: KeepCallbackDeps, { accountId, taskId, callback }: KeepInput): Promise<void> {
  const call = { method: 'PUT', path: `/accounts/${accountId}/callbacks/${taskId}`, body: callback, timeoutMs: keepMsMax }
  await callWebhooks(call).catch(error => {
    if (!(error instanceof Failure) || error.reason !== 'not_found') throw error
    throw new Failure<Reason>('service_unavailable', { retryAfterSeconds, internal: 'the webhooks service has no callbacks' })
  })
}
