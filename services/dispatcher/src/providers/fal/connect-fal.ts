import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import { cancelByCall } from '../cancel-by-call'
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
import { requestFields } from '../mapping/request-fields'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { type UploadOptions, uploadInputs } from './upload-inputs'
import { billableUnits, isAlreadyCompleted, moderationWords, outcomeOf, resultOf, runningOf } from './verdict'
import { type Status, statusForm } from './wire'

export type FalOptions = {
  url: string
  key: string
  submitTimeoutMs: number
  readTimeoutMs: number
  /** For a store of ours that fal can't read; undefined where it can. */
  upload?: (Pick<UploadOptions, 'timeoutMs' | 'keptSeconds'> & Pick<FetchPolicy, 'forbiddenRanges'>) | undefined
}

const hour = 3_600_000

/** Pages under fal.ai/docs/documentation/model-apis unless another is named. */
const capabilities: Capabilities = {
  standsIn: false,
  // No field for an id of the caller's and no idempotency key: nothing in the documents or in @fal-ai/client 1.10.1.
  ownId: 'none',
  carriesOwnId: false,
  // fal.ai/docs/platform-apis/v1/models/requests/by-endpoint lists what has ended, by endpoint and time; no id of ours is in it.
  lookUp: 'ended-only',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 300_000,
  // documentation/model-apis/common-parameters: “inference can run as long as it needs” (2026-11-25).
  generationMsMax: undocumentedGenerationMs,
  // inference/webhooks: Ed25519, keys at rest.fal.ai/.well-known/jwks.json. The gateway verifies it.
  callback: 'signed',
  // fal.ai/docs/inference-api/queue/cancel (2026-11-26): out of the queue; to what runs a signal, which its app may ignore.
  cancel: 'running',
  // faq: 5xx never; a 422 “may still be charged if a runner spent GPU time”.
  billedOnFailure: 'sometimes',
  moderationWords,
  // fal.ai/docs/inference-api/queue/result: 1 h, 6 min where the result has 10 KB or more (ours are smaller).
  resultExpiryMs: hour,
  // fal.ai/docs/faq: “at least 7 days”.
  outputExpiryMs: 168 * hour,
}

/**
 * fal, which runs many companies' models behind one queue: fal.ai/docs/documentation/model-apis/inference/queue. A submit goes to the model's
 * own path; status and result are on the path of its app, which is the first two parts of it, as fal's own clients have it.
 */
export function connectFal({ url, key, submitTimeoutMs, readTimeoutMs, upload }: FalOptions): Connector {
  const provider = 'fal'
  const base = url.replace(/\/$/, '')
  const headers = { authorization: `Key ${key}` }
  // What fal hands out and takes is public; only a stand-in on a developer's machine has addresses of its own.
  const origins = base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }]
  const handing = upload && { ...upload, policy: { forbiddenRanges: upload.forbiddenRanges, trustedOrigins: origins } }

  const get = (path: string, signal: AbortSignal, call: ProviderCall['call'] = 'poll'): Promise<ProviderAnswer> =>
    callProvider({
      provider,
      call,
      url: `${base}/${path}`,
      method: 'GET',
      headers,
      read: [billableUnits],
      timeoutMs: readTimeoutMs,
      signal,
    })

  /** Undefined where fal knows no such request. */
  async function statusOf(task: ProviderTask, signal: AbortSignal): Promise<Status | undefined> {
    const { status, body } = await get(`${pathOf(task)}/status`, signal)
    if (status === 404) return undefined
    if ((status !== 200 && status !== 202) || !statusForm.Check(body)) throw new ProviderTrouble(`answered ${status} to a status`, true)
    if (body.request_id !== undefined && body.request_id !== task.providerTaskId)
      throw new ProviderTrouble('answered about another request', true)
    return body
  }

  async function pollOne(task: ProviderTask, signal: AbortSignal): Promise<PollAnswer | undefined> {
    const status = await statusOf(task, signal)
    if (!status) return { status: 'missing' }
    return runningOf(status) ?? resultOf(status, await get(pathOf(task), signal))
  }

  return {
    provider,
    capabilities,
    // A video takes from half a minute to several; no limit of polls is documented.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    outputOrigins: origins,
    ...(handing && { uploadInputs: (media, signal) => uploadInputs({ ...handing, restUrl: restUrlOf(base), key }, media, signal) }),
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const { providerModel, order, mapping, media, callbackUrl } = submission
      const body = JSON.stringify(requestFields(mapping, order, media))
      const query = callbackUrl ? `?fal_webhook=${encodeURIComponent(callbackUrl)}` : ''
      return submitByCall(
        {
          ...{ provider, url: `${base}/${providerModel}${query}`, body, timeoutMs: submitTimeoutMs, signal },
          // Second-hand: keeps fal from putting another model in the place of one that fails.
          headers: { ...headers, 'content-type': 'application/json', 'x-app-fal-disable-fallback': '1' },
        },
        outcomeOf,
      )
    },
    poll: (polled, signal) => pollEach(polled, one => pollOne(one, signal)),
    cancel: (task, signal) =>
      cancelByCall(
        { provider, url: `${base}/${pathOf(task)}/cancel`, method: 'PUT', headers, timeoutMs: readTimeoutMs, signal },
        isAlreadyCompleted,
      ),
    async checkKey(signal) {
      // Second-hand: a request that nobody made is 404 to whoever has a key, and 401 to everybody else.
      const { status } = await get(
        `${pathOf({ providerModel: 'fal-ai/any', providerTaskId: crypto.randomUUID() })}/status`,
        signal,
        'key-check',
      )
      if (status === 401 || status === 403) return 'refused'
      if (status === 404) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a request that is not there`, true)
    },
    async identify(task, signal) {
      return (await statusOf(task, signal)) && { attemptId: null }
    },
  }
}

/** fal's storage has an address of its own; what stands in for fal has it under the same one. */
const restUrlOf = (base: string): string => (base === 'https://queue.fal.run' ? 'https://rest.fal.ai' : base)

/** A few of fal's own apps have one part more before owner and name (ENDPOINT_NAMESPACES of @fal-ai/client). */
const namespaces = ['workflows', 'comfy']

function pathOf({ providerModel, providerTaskId }: ProviderTask): string {
  const parts = providerModel.split('/')
  const app = parts.slice(0, namespaces.includes(parts[0] ?? '') ? 3 : 2)
  return `${app.join('/')}/requests/${encodeURIComponent(providerTaskId)}`
}
