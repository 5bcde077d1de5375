import { callProvider, type ProviderAnswer, ProviderTrouble } from '../call'
import { cancelByCall } from '../cancel-by-call'
import type { Capabilities, Connector, PollAnswer, ProviderTask, Submission, SubmitOutcome } from '../connector'
import { requestFields } from '../mapping/request-fields'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { answerOf, isAccount, isCancelRefused, moderationWords, outcomeOf } from './verdict'

export type ReplicateOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

/** “Client”: replicate 1.4.0 (npm). Pages are under replicate.com/docs/topics/predictions. */
const capabilities: Capabilities = {
  standsIn: false,
  // Client, predictions.create: a submit has no place for an id of the caller's, and no key against repetition.
  ownId: 'none',
  carriesOwnId: false,
  // Client, predictions.list: what was created, with its input. Nothing in it is an id of ours.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 60_000,
  // Page lifecycle (2026-11-25): “Predictions time out after running for 30 minutes.” Official models start within seconds.
  generationMsMax: 1_800_000,
  // Its webhooks are signed by a secret of the account, which no gateway has.
  callback: 'unsigned',
  // Page lifecycle, and client, predictions.cancel.
  cancel: 'running',
  // Not documented for models that are billed by output.
  billedOnFailure: 'sometimes',
  moderationWords,
  // Page data-retention: outputs and their values are removed an hour after a prediction of the API.
  resultExpiryMs: 3_600_000,
  outputExpiryMs: 3_600_000,
}

/** Page rate-limits, and Replicate's reference: 3,000 calls a minute but for those that create. Some are left for other uses of the key. */
const budget = { perSecond: 40, atOnce: 200 }

/** Replicate: one API in front of the models of many. A submit is a prediction of an official model; a poll is a call for each. */
export function connectReplicate({ url, key, submitTimeoutMs, readTimeoutMs }: ReplicateOptions): Connector {
  const provider = 'replicate'
  const base = url.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${key}` }

  const get = (path: string, call: 'poll' | 'key-check', signal: AbortSignal): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: `${base}/${path}`, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })

  const ask = async ({ providerTaskId }: ProviderTask, signal: AbortSignal): Promise<PollAnswer> =>
    answerOf(await get(`predictions/${encodeURIComponent(providerTaskId)}`, 'poll', signal))

  return {
    provider,
    capabilities,
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Outputs are at replicate.delivery, for everybody; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit({ providerModel, mapping, order, media, callbackUrl }: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const webhook = callbackUrl === undefined ? {} : { webhook: callbackUrl, webhook_events_filter: ['completed'] }
      return submitByCall(
        {
          ...{ provider, url: `${base}/models/${providerModel}/predictions`, timeoutMs: submitTimeoutMs, signal },
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ input: requestFields(mapping, order, media), ...webhook }),
        },
        outcomeOf,
      )
    },
    poll: (polled, signal) => pollEach(polled, one => ask(one, signal)),
    cancel({ providerTaskId }, signal) {
      const address = `${base}/predictions/${encodeURIComponent(providerTaskId)}/cancel`
      return cancelByCall({ provider, url: address, method: 'POST', headers, timeoutMs: readTimeoutMs, signal }, isCancelRefused)
    },
    async checkKey(signal) {
      const { status, body } = await get('account', 'key-check', signal)
      if (status === 401 || status === 403) return 'refused'
      if (status !== 200 || !isAccount(body)) throw new ProviderTrouble(`answered ${status} to a question about the key`, true)
      return 'accepted'
    },
    async identify(task, signal) {
      return (await ask(task, signal)).status === 'missing' ? undefined : { attemptId: null }
    },
  }
}
