import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import { cancelByCall } from '../cancel-by-call'
import {
  type Capabilities,
  type Connector,
  type PollAnswer,
  type Polled,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { findTask } from './find-task'
import { requestBody } from './request-body'
import { answerOf, isCancelRefused, moderationWords, outcomeOf, taskOf } from './verdict'
import { creditsForm, type Task } from './wire'

export type ViduOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

const hour = 3_600_000

/** Pages under platform.vidu.com/docs unless another is named. */
const capabilities: Capabilities = {
  standsIn: false,
  // text-to-video: `payload`, repeated by every answer; no word that it is unique, so a second submit is a second task.
  ownId: 'echoed',
  // get-generation: `payload` as it was given, of each task.
  carriesOwnId: true,
  // tasks-list: by time alone, and no payload among the fields that the page shows. What isn't found may be there.
  lookUp: 'own-id-if-found',
  // Not documented. Absence is never judged: it only says from when on one that is not found is looked up.
  visibilityMs: 60_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // callback-signature: an HMAC with the account's own key, over the address and the date and not over the body. A gateway that checked it
  // would hold the key that buys, for an id that the list gives without it.
  callback: 'unsigned',
  // cancel-generation: what waits; of what is scheduled it says “can not cancel”.
  cancel: 'queued',
  // platform.vidu.cn/docs/pricing: what fails is not counted, “also where the content was refused”; content-moderation says so too.
  billedOnFailure: 'never',
  moderationWords,
  // Not documented.
  resultExpiryMs: undefined,
  // get-generation: 24 hours. Older copies of the page say one; a poll gives another address.
  outputExpiryMs: 24 * hour,
}

/**
 * Vidu, the provider of its own models: platform.vidu.com/docs. Beside https://api.vidu.com there is https://api.vidu.cn for accounts of
 * platform.vidu.cn, in the same words.
 */
export function connectVidu({ url, key, submitTimeoutMs, readTimeoutMs }: ViduOptions): Connector {
  const provider = 'vidu'
  const base = `${url.replace(/\/$/, '')}/ent/v2`
  const headers = { authorization: `Token ${key}`, 'content-type': 'application/json' }
  const known = new Map<string, string>()

  const get = (path: string, signal: AbortSignal, call: ProviderCall['call'] = 'poll'): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: `${base}/${path}`, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })

  const read = async (providerTaskId: string, signal: AbortSignal, call?: ProviderCall['call']): Promise<Task | undefined> =>
    taskOf(providerTaskId, await get(`tasks/${encodeURIComponent(providerTaskId)}/creations`, signal, call))

  async function pollOne({ attemptId, providerTaskId, echoed }: Polled, signal: AbortSignal): Promise<PollAnswer> {
    const task = await read(providerTaskId, signal)
    if (!task) return { status: 'missing' }
    // An id that leads to somebody else's task is as good as none.
    if (task.payload ? task.payload !== attemptId : echoed) return { status: 'missing' }
    return answerOf(task)
  }

  return {
    provider,
    capabilities,
    // A video takes from half a minute to several; no limit of polls is documented.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Vidu's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const { path, body } = requestBody(submission)
      const call = { provider, url: `${base}/${path}`, headers, body: JSON.stringify(body), timeoutMs: submitTimeoutMs, signal }
      return submitByCall(call, answer => outcomeOf(submission.attemptId, answer))
    },
    poll: (polled, signal) => pollEach(polled, one => pollOne(one, signal)),
    cancel({ providerTaskId: id }, signal) {
      const call = { provider, url: `${base}/tasks/${encodeURIComponent(id)}/cancel`, method: 'POST' as const, headers, signal }
      return cancelByCall({ ...call, body: JSON.stringify({ id }), timeoutMs: readTimeoutMs }, isCancelRefused)
    },
    async checkKey(signal) {
      const { status, body } = await get('credits', signal, 'key-check')
      if (status === 401 || status === 403) return 'refused'
      if (status === 200 && creditsForm.Check(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to the account’s credits`, true)
    },
    async identify({ providerTaskId }, signal) {
      const task = await read(providerTaskId, signal)
      return task && { attemptId: ownIdOf(task) }
    },
    lookUp(attemptId, signal) {
      const list = (query: Record<string, string>) => get(`tasks?${new URLSearchParams(query)}`, signal, 'look-up')
      const payloadOf = async (id: string) => (await read(id, signal, 'look-up'))?.payload
      return findTask({ list, payloadOf, known }, attemptId)
    },
  }
}

/** What a task carries may be anybody's, of any length. */
const ownIdOf = ({ payload }: Task): string | null => (payload ? (/^[!-~]{1,100}$/.exec(payload)?.[0] ?? 'no id of ours') : null)
