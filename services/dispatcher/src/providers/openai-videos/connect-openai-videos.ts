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
import { nested } from '../mapping/nested'
import { requestFields } from '../mapping/request-fields'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { answerOf, isModels, moderationWords, outcomeOf } from './verdict'

export type OpenAiVideosOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

/** “Client”: openai 7.57.0 (npm), its `videos`. Gateways: LiteLLM (docs.litellm.ai/docs/videos), new-api and LLMGateway by their sources. */
const capabilities: Capabilities = {
  standsIn: false,
  // Client, videos.create: no place for an id of the caller's, and no key against repetition.
  ownId: 'none',
  carriesOwnId: false,
  // Client, videos.list: nothing in it is an id of ours, LiteLLM's has no prompt, and the other two have no list.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 60_000,
  // Client: no field for an address to call. LLMGateway's wants a secret beside it.
  callback: 'none',
  // Client, videos.delete: only what has ended.
  cancel: 'none',
  // The gateway's own matter, and its provider's.
  billedOnFailure: 'sometimes',
  moderationWords,
  generationMsMax: undocumentedGenerationMs,
  resultExpiryMs: undefined,
  outputExpiryMs: undefined,
}

/** Any gateway that speaks OpenAI's `/v1/videos`, at an address of the operator's. A route's fields name their places (`input_reference.image_url`). */
export function connectOpenAiVideos({ url, key, submitTimeoutMs, readTimeoutMs }: OpenAiVideosOptions): Connector {
  const provider = 'openai-videos'
  const base = url.replace(/\/$/, '')
  const { origin } = new URL(base)
  const authorization = `Bearer ${key}`
  const headers = { authorization }

  const get = (at: string, call: 'poll' | 'key-check', signal: AbortSignal): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: at, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })

  async function ask({ providerTaskId }: ProviderTask, signal: AbortSignal): Promise<PollAnswer> {
    const video = `${base}/videos/${encodeURIComponent(providerTaskId)}`
    return answerOf(await get(video, 'poll', signal), `${video}/content`)
  }

  return {
    provider,
    capabilities,
    // OpenAI's page on videos: asked about every ten to twenty seconds; a video takes minutes.
    cadence: { firstMs: 5_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Outputs come from where the operator put the gateway, which may be a private place, or from the public address that it leads to.
    outputOrigins: [{ origin }],
    outputCredential: { origin, header: 'authorization', value: authorization },
    async submit({ providerModel, mapping, order, media }: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      return submitByCall(
        {
          ...{ provider, url: `${base}/videos`, timeoutMs: submitTimeoutMs, signal },
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(nested({ model: providerModel, ...requestFields(mapping, order, media) })),
        },
        outcomeOf,
      )
    },
    poll: (polled, signal) => pollEach(polled, one => ask(one, signal)),
    async checkKey(signal) {
      const { status, body } = await get(`${base}/models`, 'key-check', signal)
      if (status === 401 || status === 403) return 'refused'
      if (status !== 200 || !isModels(body)) throw new ProviderTrouble(`answered ${status} to a list of models`, true)
      return 'accepted'
    },
    async identify(task, signal) {
      return (await ask(task, signal)).status === 'missing' ? undefined : { attemptId: null }
    },
  }
}
