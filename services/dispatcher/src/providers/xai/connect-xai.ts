import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { callProvider, type ProviderAnswer, ProviderTrouble } from '../call'
import {
  type Capabilities,
  type Connector,
  type PollAnswer,
  type ProviderTask,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { requestBody } from './request-body'
import { answerOf, moderationWords, outcomeOf } from './verdict'

export type XaiOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

const hour = 3_600_000

/** “OpenAPI”: api.x.ai/api-docs/openapi.json, as xai-org/xai-sdk-ts holds it. */
const capabilities: Capabilities = {
  standsIn: false,
  // OpenAPI, GenerateVideoRequest: `user` names who it is for, and no answer repeats it. Neither client sends a key against repetition.
  ownId: 'none',
  carriesOwnId: false,
  // OpenAPI: a request is asked about by xAI's own id alone; there is no list of them.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 60_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // OpenAPI: no field for an address to call.
  callback: 'none',
  // OpenAPI: no operation for it.
  cancel: 'none',
  // Second-hand: what its moderation withholds has a cost in its answer.
  billedOnFailure: 'sometimes',
  moderationWords,
  // Not documented; a request has the status `expired` once it is over.
  resultExpiryMs: undefined,
  // xai-sdk 1.21.0, video.py: “The returned URL is valid for 24 hours.”
  outputExpiryMs: 24 * hour,
}

/** A 202 of a request that is still in progress may have no body. */
const bodyless = [202]

const keyForm = TypeCompiler.Compile(
  Type.Object({ api_key_blocked: Type.Boolean(), api_key_disabled: Type.Boolean(), team_blocked: Type.Boolean() }),
)

/** xAI: docs.x.ai/developers/model-capabilities/video/generation. A submit gives an id, and a request is asked about by that alone. */
export function connectXai({ url, key, submitTimeoutMs, readTimeoutMs }: XaiOptions): Connector {
  const provider = 'xai'
  const base = url.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${key}` }

  const get = (path: string, call: 'poll' | 'key-check', signal: AbortSignal): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: `${base}/${path}`, method: 'GET', headers, bodyless, timeoutMs: readTimeoutMs, signal })

  const ask = async ({ providerTaskId }: ProviderTask, signal: AbortSignal): Promise<PollAnswer> =>
    answerOf(await get(`videos/${encodeURIComponent(providerTaskId)}`, 'poll', signal))

  return {
    provider,
    capabilities,
    // xAI's clients ask every second (Python) or every five (TypeScript); a video takes from half a minute to several.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // xAI's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const body = JSON.stringify(requestBody(submission))
      return submitByCall(
        {
          ...{ provider, url: `${base}/videos/generations`, body, timeoutMs: submitTimeoutMs, signal },
          // As xAI's TypeScript client sends with every call: something to name to its support. It keeps nothing from being made twice.
          headers: { ...headers, 'content-type': 'application/json', 'x-client-request-id': submission.attemptId },
        },
        outcomeOf,
      )
    },
    poll: (polled, signal) => pollEach(polled, one => ask(one, signal)),
    async checkKey(signal) {
      // OpenAPI: 400 where the key is wrong; debugging: 401 where it is none, 403 where it may do nothing.
      const { status, body } = await get('api-key', 'key-check', signal)
      if (status === 400 || status === 401 || status === 403) return 'refused'
      if (status !== 200 || !keyForm.Check(body)) throw new ProviderTrouble(`answered ${status} to a question about the key`, true)
      return body.api_key_blocked || body.api_key_disabled || body.team_blocked ? 'refused' : 'accepted'
    },
    async identify(task, signal) {
      return (await ask(task, signal)).status === 'missing' ? undefined : { attemptId: null }
    },
  }
}
