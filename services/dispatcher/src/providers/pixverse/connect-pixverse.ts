import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import {
  type Capabilities,
  type Connector,
  type PollAnswer,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { requestBody, traceIdOf } from './request-body'
import { uploadInputs } from './upload-inputs'
import { keyAnswerOf, moderationWords, outcomeOf, pollAnswerOf, videoOf } from './verdict'
import type { Video } from './wire'

export type PixverseOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number; uploadTimeoutMs: number }

/** Pages of docs.platform.pixverse.ai. */
const capabilities: Capabilities = {
  standsIn: false,
  // pixverse-api-llm-txt: a trace id that is sent again “returns the previous result instead of triggering a new generation”. For how long is said
  // nowhere, so nothing is sent twice in reliance on it.
  ownId: 'idempotent',
  // Its answers repeat no trace id.
  carriesOwnId: false,
  // Videos are found by PixVerse's id alone; there is no list.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 300_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // webhook-integration: an address that is registered once for all videos (`webhook_id`), where ours names the attempt.
  callback: 'none',
  // No call for it.
  cancel: 'none',
  // The guides' “Troubleshooting”: what moderation withholds (7) is paid back; of what fails (8) they say nothing.
  billedOnFailure: 'sometimes',
  moderationWords,
  // Not documented.
  resultExpiryMs: undefined,
  outputExpiryMs: undefined,
}

/**
 * PixVerse, the provider of its own models: docs.platform.pixverse.ai. Beside https://app-api.pixverse.ai there is https://app-api.pixverseai.cn for accounts
 * of its Chinese platform, in the same words.
 */
export function connectPixverse({ key, submitTimeoutMs, readTimeoutMs, uploadTimeoutMs, ...options }: PixverseOptions): Connector {
  const provider = 'pixverse'
  const url = options.url.replace(/\/$/, '')
  /** A question under a trace id that was used before is answered as then: a video would never end. */
  const headers = (traceId: string = crypto.randomUUID()) => ({ 'api-key': key, 'ai-trace-id': traceId })

  const get = (path: string, signal: AbortSignal, call: ProviderCall['call'] = 'poll'): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: `${url}/${path}`, method: 'GET', headers: headers(), timeoutMs: readTimeoutMs, signal })

  const read = async (providerTaskId: string, signal: AbortSignal): Promise<Video | undefined> =>
    videoOf(providerTaskId, await get(`video/result/${encodeURIComponent(providerTaskId)}`, signal))

  async function pollOne(providerTaskId: string, signal: AbortSignal): Promise<PollAnswer> {
    const video = await read(providerTaskId, signal)
    return video ? pollAnswerOf(video) : { status: 'missing' }
  }

  return {
    provider,
    capabilities,
    // pixverse-api-llm-txt: every three to five seconds.
    cadence: { firstMs: 5_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // PixVerse's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: url.startsWith('https:') ? [] : [{ origin: new URL(url).origin }],
    uploadInputs: (media, signal) => uploadInputs({ url, headers: () => headers(), timeoutMs: uploadTimeoutMs }, media, signal),
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const { path, body } = requestBody(submission)
      const own = { ...headers(traceIdOf(submission.attemptId)), 'content-type': 'application/json' }
      const call = { provider, url: `${url}/${path}`, headers: own, body: JSON.stringify(body), timeoutMs: submitTimeoutMs, signal }
      return submitByCall(call, outcomeOf)
    },
    poll: (polled, signal) => pollEach(polled, ({ providerTaskId }) => pollOne(providerTaskId, signal)),
    async checkKey(signal) {
      const answer = await get('account/balance', signal, 'key-check')
      const verdict = keyAnswerOf(answer)
      if (!verdict) throw new ProviderTrouble(`answered ${answer.status} to the account’s balance`, true)
      return verdict
    },
    async identify({ providerTaskId }, signal) {
      return (await read(providerTaskId, signal)) && { attemptId: null }
    },
  }
}
