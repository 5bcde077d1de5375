import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
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
import { isH3, requestBody } from './request-body'
import { isOfNoTask, moderationWords, outcomeOf, toldOfFile, toldOfH3, toldOfHailuo } from './verdict'
import { listForm, statedIn } from './wire'

export type MiniMaxOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

/** Pages under platform.minimax.io/docs/api-reference. */
const capabilities: Capabilities = {
  standsIn: false,
  // video-generation-v2-create, -t2v, -i2v, -fl2v: no field for an id of the caller's, and no idempotency key.
  ownId: 'none',
  carriesOwnId: false,
  // video-generation-v2-list has H3's tasks of seven days by model and status, with nothing of ours in them; Hailuo has no list.
  lookUp: 'none',
  // Not documented. Nothing is judged by it while there is no look-up: it only says until when an absence proves nothing.
  visibilityMs: 300_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // The same pages, callback_url: POSTs without a signature, after a `challenge` that our hook has to give back.
  callback: 'unsigned',
  // video-generation-v2-delete: H3's while queued, by a DELETE that also deletes what has ended meanwhile. It is never sent. Hailuo has none.
  cancel: 'none',
  // video-generation-v2-query: usage is “returned only when the task has succeeded”. Of Hailuo no page says.
  billedOnFailure: 'sometimes',
  moderationWords,
  // video-generation-v2-query: H3's tasks for seven days from their beginning. Of Hailuo no page says.
  resultExpiryMs: undefined,
  // An address of an output is “time-limited”; asking again gives another. For how long no page says.
  outputExpiryMs: undefined,
}

/**
 * MiniMax's own API: platform.minimax.io/docs/api-reference/video-generation-intro. H3 and Hailuo are two versions of it, under one key: a task
 * of H3's has its video's address in it, one of Hailuo's the id of a file that has to be asked for.
 */
export function connectMiniMax({ url, key, submitTimeoutMs, readTimeoutMs }: MiniMaxOptions): Connector {
  const provider = 'minimax'
  const base = url.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  const get = (path: string, signal: AbortSignal, call: ProviderCall['call'] = 'poll'): Promise<ProviderAnswer> =>
    callProvider({ provider, call, url: `${base}/${path}`, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })

  /** What a query tells of a task, undefined where MiniMax knows no such id; of a finished one of Hailuo's the id of its file. */
  async function query(task: ProviderTask, signal: AbortSignal): Promise<PollAnswer | { fileId: string } | undefined> {
    const id = encodeURIComponent(task.providerTaskId)
    const ofH3 = isH3(task.providerModel)
    const answer = await get(ofH3 ? `v2/query/video_generation/${id}` : `v1/query/video_generation?task_id=${id}`, signal)
    if (isOfNoTask(answer)) return undefined
    return ofH3 ? toldOfH3(task, answer) : toldOfHailuo(task, answer)
  }

  async function pollOne(task: ProviderTask, signal: AbortSignal): Promise<PollAnswer> {
    const told = await query(task, signal)
    if (!told) return { status: 'missing' }
    return 'fileId' in told ? toldOfFile(told.fileId, await get(`v1/files/retrieve?file_id=${told.fileId}`, signal)) : told
  }

  return {
    provider,
    capabilities,
    // A video takes from seconds (H3 Max) to several minutes; no limit of queries is documented.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // A call or two each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // MiniMax's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const path = isH3(submission.providerModel) ? 'v2/video_generation' : 'v1/video_generation'
      const body = JSON.stringify(requestBody(submission))
      return submitByCall({ provider, url: `${base}/${path}`, headers, body, timeoutMs: submitTimeoutMs, signal }, outcomeOf)
    },
    poll: (polled, signal) => pollEach(polled, one => pollOne(one, signal)),
    async checkKey(signal) {
      const { status, body } = await get('v2/query/video_generation?page_num=1&page_size=1', signal, 'key-check')
      const { code } = statedIn(body)
      if (status === 401 || status === 403 || code === 1004 || code === 2049) return 'refused'
      if (status === 200 && (code ?? 0) === 0 && listForm.Check(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a list of tasks`, true)
    },
    async identify(task, signal) {
      return (await query(task, signal)) && { attemptId: null }
    },
  }
}
