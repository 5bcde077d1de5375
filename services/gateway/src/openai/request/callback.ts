import type { Issue, Values } from '../../issues/issue'
import type { CallWebhooks } from '../../webhooks/call-webhooks'

/** Where the end of one task is to be told, as its client wrote it: the webhooks service says what is wrong with it. */
export type Callback = { callback_url?: unknown; callback_secret?: unknown }

/** Undefined where neither is sent; null says as little. */
export function callbackOf({ callback_url, callback_secret }: Values): Callback | undefined {
  const given = Object.entries({ callback_url, callback_secret }).filter(([, value]) => value !== undefined && value !== null)
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Of an installation without webhooks. */
export const callbacksOff: Issue = {
  path: 'callback_url',
  rule: 'unsupported_field',
  message: 'callback_url is not taken: webhooks are off here. Leave it out and read the video, or ask the operator to turn webhooks on',
}

export type KeepCallbackDeps = { callWebhooks: CallWebhooks }
type KeepInput = { accountId: string; taskId: string; callback: Callback }

/** Has the webhooks service keep the callback of a task that is not recorded yet. */
export async function keepCallback({ callWebhooks }: KeepCallbackDeps, { accountId, taskId, callback }: KeepInput): Promise<void> {
  await callWebhooks({ method: 'PUT', path: `/accounts/${accountId}/callbacks/${taskId}`, body: callback })
}
