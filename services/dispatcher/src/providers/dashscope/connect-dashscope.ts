import { callProvider, type ProviderCall, ProviderTrouble } from '../call'
import { cancelByCall } from '../cancel-by-call'
import {
  type Capabilities,
  type Connector,
  type PollAnswer,
  type Submission,
  type SubmitOutcome,
  undocumentedGenerationMs,
} from '../connector'
import { pollEach } from '../poll-each'
import { submitByCall } from '../submit-by-call'
import { requestBody } from './request-body'
import { isNotPending, moderationWords, outcomeOf, toldOf } from './verdict'
import { faultOf, type Task, taskForm } from './wire'

export type DashScopeOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

const hour = 3_600_000

/** Pages under help.aliyun.com/zh/model-studio, which alibabacloud.com/help/en/model-studio has in English. */
const capabilities: Capabilities = {
  standsIn: false,
  // No field for an id of the caller's and no idempotency key: nothing on the pages of Wan or in dashscope 2.0.2 (aigc/video_synthesis.py).
  ownId: 'none',
  carriesOwnId: false,
  // manage-asynchronous-tasks: a list by time, model and status, with nothing in it of what was asked for.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 300_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // async-task-api: by EventBridge, which an account sets up for itself; a submit has no field for it.
  callback: 'none',
  // manage-asynchronous-tasks: PENDING alone. Others found a task past that within a tenth of a second (second-hand).
  cancel: 'queued',
  // model-pricing: failed calls and faults of processing cost nothing; `usage` counts what succeeded alone.
  billedOnFailure: 'never',
  moderationWords,
  // legacy-wan-text-to-video-api-reference: task and output are there for 24 h; the task is UNKNOWN afterwards.
  resultExpiryMs: 24 * hour,
  outputExpiryMs: 24 * hour,
}

/** manage-asynchronous-tasks: 20 queries a second for an account, with all its keys. Half of them, as a second's worth may be asked at once. */
const budget = { perSecond: 10, atOnce: 40 }

/** That page of Wan: ask about every 15 s; most take one to five minutes. */
const cadence = { firstMs: 5_000, ofAge: 0.1, maxMs: 15_000 }

/**
 * DashScope, Alibaba Cloud's Model Studio, which makes Wan's videos: a POST makes a task, and a GET tells of it. Key, address and model are
 * of one region each.
 */
export function connectDashScope({ url, key, submitTimeoutMs, readTimeoutMs }: DashScopeOptions): Connector {
  const provider = 'dashscope'
  const base = url.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${key}` }

  const get = (call: ProviderCall['call'], taskId: string, signal: AbortSignal) => {
    const address = `${base}/tasks/${encodeURIComponent(taskId)}`
    return callProvider({ provider, call, url: address, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })
  }

  async function taskOf(providerTaskId: string, signal: AbortSignal): Promise<Task> {
    const { status, body } = await get('poll', providerTaskId, signal)
    if (status !== 200 || !taskForm.Check(body)) throw new ProviderTrouble(`answered ${status} ${faultOf(body)?.code ?? 'no task'}`, true)
    const { task_id: told } = body.output
    if (told !== undefined && told !== providerTaskId) throw new ProviderTrouble('answered about another task', true)
    return body
  }

  const pollOne = async (providerTaskId: string, signal: AbortSignal): Promise<PollAnswer> => toldOf(await taskOf(providerTaskId, signal))

  return {
    provider,
    capabilities,
    cadence,
    budget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      return submitByCall(
        {
          ...{ provider, url: `${base}/services/aigc/video-generation/video-synthesis`, timeoutMs: submitTimeoutMs, signal },
          headers: { ...headers, 'content-type': 'application/json', 'x-dashscope-async': 'enable' },
          body: JSON.stringify(requestBody(submission)),
        },
        outcomeOf,
      )
    },
    poll: (polled, signal) => pollEach(polled, ({ providerTaskId }) => pollOne(providerTaskId, signal)),
    cancel({ providerTaskId }, signal) {
      const address = `${base}/tasks/${encodeURIComponent(providerTaskId)}/cancel`
      return cancelByCall({ provider, url: address, method: 'POST', headers, timeoutMs: readTimeoutMs, signal }, isNotPending)
    },
    async checkKey(signal) {
      // Second-hand: a task that nobody made is UNKNOWN to whoever has a key, and 401 to everybody else.
      const { status, body } = await get('key-check', crypto.randomUUID(), signal)
      if (status === 401 || status === 403) return 'refused'
      if (status === 200 && taskForm.Check(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a task that is not there`, true)
    },
    async identify({ providerTaskId }, signal) {
      const { status } = toldOf(await taskOf(providerTaskId, signal))
      return status === 'missing' ? undefined : { attemptId: null }
    },
  }
}
