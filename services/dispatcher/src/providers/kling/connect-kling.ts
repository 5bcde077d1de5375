import { callProvider, type ProviderAnswer, type ProviderCall, ProviderTrouble } from '../call'
import {
  type Capabilities,
  type Connector,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { submitByCall } from '../submit-by-call'
import { authorizationOf } from './authorization'
import { requestBody } from './request-body'
import { answerOf, moderationWords, outcomeOf } from './verdict'
import { envelopeOf, externalIdOf, readTasks, type TaskList } from './wire'

export type KlingOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

const day = 86_400_000

/** Pages under kling.ai/document-api/api; how they were read: wire.ts. */
const capabilities: Capabilities = {
  standsIn: false,
  // video/*: external_task_id “must be unique within a single user account”. A second submit under it is refused with 1201 (seen live).
  ownId: 'idempotent',
  // video/*, “Query Task”: external_id is among the fields of every task.
  carriesOwnId: true,
  // video/*, “Query Task”: external_task_ids. What it doesn't know is left out; no page says how soon what it took is shown.
  lookUp: 'own-id-if-found',
  // Not documented; 19 tasks were there at once (seen live). Absence is never judged: it says from when on what is not found is looked up.
  visibilityMs: 60_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // get-started/callbacks: signed where the account has a webhook secret. The gateway doesn't verify that.
  callback: 'unsigned',
  // No page and no client has a call for it.
  cancel: 'none',
  // Not documented. A task that failed before anything was made had an amount of 0 in its `billing` (seen live by somebody else).
  billedOnFailure: 'sometimes',
  moderationWords,
  // Not documented; a list of tasks goes back 30 days unless it is told otherwise.
  resultExpiryMs: undefined,
  // video/*, `outputs[].url`: “cleared after 30 days”.
  outputExpiryMs: 30 * day,
}

/**
 * Kling's own API 2.0: the model is in the path, and every task is asked for at one address, by its id or by ours. The generation before
 * (`/v1/videos`, `model_name`) is not used: it asks for one task at a time, and only the words of its 400 tell an unknown id.
 */
export function connectKling({ url, key, submitTimeoutMs, readTimeoutMs }: KlingOptions): Connector {
  const provider = 'kling'
  const base = url.replace(/\/$/, '')
  const authorization = () => ({ authorization: authorizationOf(key, Date.now()) })

  const get = (
    call: ProviderCall['call'],
    by: 'task_ids' | 'external_task_ids',
    ids: string[],
    signal: AbortSignal,
  ): Promise<ProviderAnswer> =>
    callProvider({
      ...{ provider, call, method: 'GET', headers: authorization(), timeoutMs: readTimeoutMs, signal },
      url: `${base}/tasks?${by}=${ids.map(encodeURIComponent).join(',')}`,
    })

  async function listTasks(...call: Parameters<typeof get>): Promise<TaskList> {
    const { status, body } = await get(...call)
    const answer = status === 200 ? readTasks(body) : undefined
    if (!answer) throw new ProviderTrouble(`answered ${status} ${envelopeOf(body)?.code ?? 'no code'} to a ${call[0]}`, true)
    return answer
  }

  return {
    provider,
    capabilities,
    // A video takes from half a minute to several; no limit of reads is documented.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // Seen live: 21 ids are refused with 1201.
    pollSizeMax: 20,
    // Kling's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const headers = { ...authorization(), 'content-type': 'application/json' }
      const body = JSON.stringify(requestBody(submission))
      return submitByCall(
        { provider, url: `${base}/${submission.providerModel}`, headers, body, timeoutMs: submitTimeoutMs, signal },
        answer => outcomeOf(submission.attemptId, answer),
      )
    },
    async poll(polled, signal) {
      const ids = polled.map(one => one.providerTaskId)
      const { tasks, whole } = await listTasks('poll', 'task_ids', ids, signal)
      // A task is taken by its id, never by its place: those that Kling doesn't know are left out.
      const byId = new Map(tasks.map(task => [task.id, task]))
      return polled.map(one => {
        const task = byId.get(one.providerTaskId)
        if (task) return answerOf(one, task)
        return whole ? { status: 'missing' } : undefined
      })
    },
    async checkKey(signal) {
      // A task that nobody sent: an empty list to whoever has a key (seen live by several).
      const { status, body } = await get('key-check', 'external_task_ids', [crypto.randomUUID()], signal)
      if (status === 401 || status === 403) return 'refused'
      if (status === 200 && readTasks(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} ${envelopeOf(body)?.code ?? 'no code'} to a task that is not there`, true)
    },
    async identify({ providerTaskId }, signal) {
      const { tasks, whole } = await listTasks('poll', 'task_ids', [providerTaskId], signal)
      const own = tasks.find(({ id }) => id === providerTaskId)
      if (!own && !whole) throw new ProviderTrouble('answered with something that is no task', true)
      return own && { attemptId: externalIdOf(own) }
    },
    async lookUp(attemptId, signal) {
      const { tasks, whole } = await listTasks('look-up', 'external_task_ids', [attemptId], signal)
      const own = tasks.find(task => externalIdOf(task) === attemptId)
      if (!own && (!whole || tasks.length > 0)) throw new ProviderTrouble('answered a look-up with another task', true)
      return own?.id
    },
  }
}
