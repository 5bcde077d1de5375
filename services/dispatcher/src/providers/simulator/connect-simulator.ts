import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import { cancelByCall } from '../cancel-by-call'
import {
  type Connector,
  type PollAnswer,
  type Polled,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { generating, queued } from '../mapping/running'
import { submitByCall } from '../submit-by-call'
import { requestBody, simulatorFields } from './request-body'
import { acceptedForm, errorCode, type Generation, generationForm, generationsForm, outputUrlOf } from './wire'

export type SimulatorOptions = {
  provider: string
  url: string
  key: string
  visibilityMs: number
  firstPollMs: number
  submitTimeoutMs: number
  readTimeoutMs: number
  /** Where its outputs are served, if not at `url`. */
  outputOrigin?: string | undefined
}

/** `whole`: false where something in the answer is no generation. It may be the one that was asked about, which then is not known to be missing. */
type Read = { found: Generation[]; whole: boolean }

const pollEveryMsMax = 10_000
/** Its default (SIMULATOR_RETENTION_HOURS). */
const retentionMs = 86_400_000

/** The provider that stands in for providers. It offers a look-up by our own id, so every uncertain submit heals. */
export function connectSimulator(options: SimulatorOptions): Connector {
  const { provider, key, visibilityMs, firstPollMs, submitTimeoutMs, readTimeoutMs } = options
  const base = `${options.url.replace(/\/$/, '')}/v1/generations`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  async function read(call: ProviderCall['call'], query: string, signal: AbortSignal): Promise<Read> {
    const { status, body } = await callProvider({
      provider,
      call,
      url: `${base}?${query}`,
      method: 'GET',
      headers,
      timeoutMs: readTimeoutMs,
      signal,
    })
    if (status !== 200 || !generationsForm.Check(body)) throw new ProviderTrouble(`answered ${status} to a ${call}`, true)
    const found = body.data.filter(one => generationForm.Check(one))
    return { found, whole: found.length === body.data.length }
  }

  return {
    provider,
    capabilities: {
      standsIn: true,
      ...{
        ownId: 'idempotent',
        carriesOwnId: true,
        lookUp: 'own-id',
        visibilityMs,
        generationMsMax: undocumentedGenerationMs,
        callback: 'unsigned',
        cancel: 'running',
        billedOnFailure: 'never',
      },
      ...{ moderationWords: ['content_rejected', 'output_moderated'], resultExpiryMs: retentionMs, outputExpiryMs: retentionMs },
    },
    pollSizeMax: 100,
    cadence: { firstMs: firstPollMs, ofAge: 0.5, maxMs: Math.max(firstPollMs, pollEveryMsMax) },
    budget: undocumentedBudget,
    outputOrigins: [new URL(options.url).origin, ...(options.outputOrigin ? [options.outputOrigin] : [])].map(origin => ({ origin })),
    fields: simulatorFields,
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const body = JSON.stringify(requestBody(submission))
      return submitByCall({ provider, url: base, headers, body, timeoutMs: submitTimeoutMs, signal }, answer =>
        outcomeOf(submission.attemptId, answer),
      )
    },
    async poll(polled, signal) {
      const { found, whole } = await read('poll', `ids=${polled.map(one => encodeURIComponent(one.providerTaskId)).join(',')}`, signal)
      const byId = new Map(found.map(generation => [generation.id, generation]))
      return polled.map(one => {
        const generation = byId.get(one.providerTaskId)
        return generation || whole ? answerOf(one, generation) : undefined
      })
    },
    cancel({ providerTaskId }, signal) {
      const url = `${base}/${encodeURIComponent(providerTaskId)}/cancel`
      return cancelByCall({ provider, url, method: 'POST', headers, timeoutMs: readTimeoutMs, signal }, ({ status }) => status === 409)
    },
    async checkKey(signal) {
      const url = `${base}?ids=nothing`
      const { status } = await callProvider({ provider, call: 'key-check', url, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })
      if (status === 401) return 'refused'
      if (status === 200) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a generation that is not there`, true)
    },
    async identify({ providerTaskId }, signal) {
      const { found, whole } = await read('poll', `ids=${encodeURIComponent(providerTaskId)}`, signal)
      const own = found.find(generation => generation.id === providerTaskId)
      if (!own && !whole) throw new ProviderTrouble('answered with something that is no generation', true)
      return own && { attemptId: own.client_task_id ?? null }
    },
    async lookUp(attemptId, signal) {
      const { found, whole } = await read('look-up', `client_task_id=${encodeURIComponent(attemptId)}`, signal)
      const own = found.find(generation => generation.client_task_id === attemptId)
      if (!own && !whole) throw new ProviderTrouble('answered a look-up with something that is no generation', true)
      return own?.id
    },
  }
}

const inputUnreachable = 'input_unreachable'

function outcomeOf(attemptId: string, { status, body }: ProviderAnswer): SubmitOutcome {
  if (status === 200 || status === 201) {
    if (!acceptedForm.Check(body)) return { outcome: 'unknown', cause: `answered ${status} without an id` }
    const echo = body.client_task_id
    if (typeof echo === 'string' && echo !== attemptId) return { outcome: 'unknown', cause: 'answered about another id of ours' }
    return { outcome: 'accepted', providerTaskId: body.id, echoed: echo === attemptId }
  }
  const code = errorCode(body)
  const cause = `answered ${status} ${code}`
  // 409: something of our id exists there, though this body did not make it. 408: the provider gave up on reading, or says so.
  if (status < 400 || status >= 500 || status === 408 || status === 409) return { outcome: 'unknown', cause }
  if (code === inputUnreachable) return { outcome: 'refused', code: 'generation_unavailable', cause, inputsUnread: true }
  return { outcome: 'refused', code: code === 'content_rejected' ? 'prompt_rejected' : 'generation_unavailable', cause }
}

function answerOf({ attemptId, echoed }: Polled, generation: Generation | undefined): PollAnswer {
  if (!generation) return { status: 'missing' }
  // An id that leads to somebody else's generation is as good as none.
  const echo = generation.client_task_id ?? null
  if (echo === null ? echoed : echo !== attemptId) return { status: 'missing' }
  switch (generation.status) {
    case 'queued':
      return queued(generation.queue_position)
    case 'running':
      return generating(generation.progress)
    case 'succeeded': {
      const outputUrl = outputUrlOf(generation)
      return outputUrl ? { status: 'succeeded', outputUrl } : { status: 'running', unknownWord: 'succeeded without a URL' }
    }
    case 'cancelled':
      return { status: 'cancelled', cause: 'cancelled' }
    case 'failed': {
      const { code } = generation.error ?? {}
      if (code === inputUnreachable) return { status: 'inputs-unread', cause: `failed: ${JSON.stringify(code)}` }
      return { status: 'failed', code: code === 'output_moderated' ? code : 'generation_failed', cause: `failed: ${JSON.stringify(code)}` }
    }
    default:
      return { status: 'running', unknownWord: generation.status }
  }
}
