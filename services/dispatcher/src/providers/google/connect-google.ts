import { ProviderTrouble } from '../call'
import {
  type Capabilities,
  type Connector,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { createAsking } from './ask'
import { inlineBytesMax, inlineInputs } from './inline-inputs'
import { createPlaces } from './places'
import { interactionBody, operationBody } from './request-body'
import { interactionIn, moderationWords, operationIn, outcomeOf } from './verdict'
import { faultOf } from './wire'

export type GoogleOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number; uploadTimeoutMs: number }

/** Pages under ai.google.dev/gemini-api/docs unless another is named. */
const capabilities: Capabilities = {
  standsIn: false,
  // google-genai 3.4.0: `labels` of an interaction come back on it. An operation has no place for one (@google/genai 2.32.0 refuses labels).
  ownId: 'echoed',
  // Interactions do, operations don't.
  carriesOwnId: false,
  // Neither client lists interactions or operations, or asks for one by its label.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 300_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // webhooks: signed, by a scheme that neither client verifies. Only a hint here.
  callback: 'unsigned',
  // An interaction can be cancelled while it runs (google-genai 3.4.0), an operation can't.
  cancel: 'none',
  // Second-hand: a failed interaction that carries `usage` was charged.
  billedOnFailure: 'sometimes',
  moderationWords,
  // Interactions 55 days on the paid tier (interactions-overview, second-hand); of operations not documented.
  resultExpiryMs: undefined,
  // video, files: two days.
  outputExpiryMs: 172_800_000,
}

/**
 * deprecations, as docs.apiyi.com repeated it on 2026-10-25: Veo 3.1 ended on 2026-10-22. @google/genai 3.3.0 and google-genai 3.6.1 (November
 * 2026) offer it by Vertex AI alone.
 */
const veoClosed = 'Google offers Veo no more to keys of the Gemini API: take its routes out, or serve the model elsewhere'

/** The form of answers to interactions that google-genai 3.4.0 asks for. */
const revision = { 'api-revision': '2026-05-20' }
const keyHeader = 'x-goog-api-key'
/** Orders whose pictures are in memory at once, with up to five times `inlineBytesMax` each. */
const inlinedMax = 4

/**
 * Google's Gemini API, at v1beta as its pages have it (2026-11-25); clients of November 2026 ask for the same paths at v1. It makes videos in two formats: Veo as an operation by `predictLongRunning`, Omni as an interaction. Which of them
 * something is in, its id says. Outputs are files of the same API, handed out only with the key.
 */
export function connectGoogle({ url, key, submitTimeoutMs, readTimeoutMs, uploadTimeoutMs }: GoogleOptions): Connector {
  const provider = 'google'
  const base = url.replace(/\/$/, '')
  const { origin } = new URL(base)
  const headers = { [keyHeader]: key, ...revision }
  const asking = createAsking({ base, headers, readTimeoutMs })
  const places = createPlaces({ count: inlinedMax, heldMsMax: uploadTimeoutMs + submitTimeoutMs })

  async function submitOne(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
    const { attemptId, providerModel } = submission
    const isVeo = providerModel.startsWith('veo-')
    const path = isVeo ? `models/${providerModel}:predictLongRunning` : 'interactions'
    const body = JSON.stringify(isVeo ? operationBody(submission) : interactionBody(submission))
    return submitByCall(
      {
        ...{ provider, url: `${base}/${path}`, body, timeoutMs: submitTimeoutMs, signal },
        // Among the steps of an interaction is the input, pictures and all (omni, “REST response schema”).
        answerRepeatsBody: true,
        headers: { ...headers, 'content-type': 'application/json' },
      },
      answer => outcomeOf(answer, isVeo ? operationIn : interactionIn(attemptId)),
    )
  }

  return {
    provider,
    capabilities,
    // video: from eleven seconds to six minutes, asked about every ten.
    cadence: { firstMs: 5_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Google's own are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin }],
    outputCredential: { origin, header: keyHeader, value: key },
    closedModel: providerModel => (providerModel.startsWith('veo-') ? veoClosed : undefined),
    uploadInputs: (media, signal) => inlineInputs({ timeoutMs: uploadTimeoutMs, bytesMax: inlineBytesMax, places }, media, signal),
    submit: (submission, signal) => submitOne(submission, signal).finally(() => places.giveBack(submission.media)),
    poll: (polled, signal) => pollEach(polled, one => asking.poll(one, signal)),
    async checkKey(signal) {
      const { status, body } = await asking.get('models?pageSize=1', signal, 'key-check')
      if (status === 200) return 'accepted'
      // A key that there isn't is a 400 like any other, but for its reason.
      const reasons = JSON.stringify(faultOf(body)?.details ?? '')
      if (status === 401 || status === 403 || (status === 400 && reasons.includes('"API_KEY_INVALID"'))) return 'refused'
      throw new ProviderTrouble(`answered ${status} to a list of models`, true)
    },
    identify: asking.identify,
  }
}
