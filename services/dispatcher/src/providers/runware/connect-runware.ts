import { callProvider, type ProviderCall, ProviderTrouble } from '../call'
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
import { requestTask } from './request-task'
import { attemptIdOf, taskUuidOf } from './task-uuid'
import { moderationWords, outcomeOf, toldOf } from './verdict'
import { readItems } from './wire'

export type RunwareOptions = { url: string; key: string; submitTimeoutMs: number; readTimeoutMs: number }

/** Pages under runware.ai/docs/platform unless another is named. */
const capabilities: Capabilities = {
  standsIn: false,
  // models/*: taskUUID “must be unique per task”; a second submit under it is refused with conflictTaskUUID (runware 0.5.24, base.py).
  ownId: 'idempotent',
  // The id of a task is the taskUUID that it was submitted under.
  carriesOwnId: true,
  // task-polling: getResponse by taskUUID. Of an id that it never saw it says the same as of one that it has not begun (second-hand).
  lookUp: 'own-id-if-found',
  // Not documented. Absence is never judged: it only says from when on one that is not found is looked up.
  visibilityMs: 60_000,
  // Not documented.
  generationMsMax: undocumentedGenerationMs,
  // webhooks: a POST to webhookURL with nothing that is signed.
  callback: 'unsigned',
  // No task for it in the documents or in Runware's own clients.
  cancel: 'none',
  // Not documented: `cost` is part of results alone.
  billedOnFailure: 'sometimes',
  moderationWords,
  // Not documented. `ttl` of a task bounds its output's life; without one no page says how long it is.
  resultExpiryMs: undefined,
  outputExpiryMs: undefined,
}

/**
 * Runware, which runs many companies' models behind one address: runware.ai/docs/platform/introduction. Every call is a POST of a list of
 * tasks. Each attempt is asked about by a call of its own, as Runware's own clients do: one bad task may turn the whole answer into a 400.
 */
export function connectRunware({ url, key, submitTimeoutMs, readTimeoutMs }: RunwareOptions): Connector {
  const provider = 'runware'
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  const callOf = (task: object, timeoutMs: number, signal: AbortSignal) => ({
    ...{ provider, url, headers, body: JSON.stringify([task]), timeoutMs, signal },
  })

  /** Undefined where Runware says nothing of the task. */
  async function ask(call: ProviderCall['call'], taskUUID: string, signal: AbortSignal): Promise<PollAnswer | undefined> {
    const asked = callOf({ taskType: 'getResponse', taskUUID }, readTimeoutMs, signal)
    return toldOf(taskUUID, await callProvider({ ...asked, call, method: 'POST' }))
  }

  return {
    provider,
    capabilities,
    // task-polling: grow from one or two seconds, and begin later where a task is known to take long.
    cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // One call each: together, a slow one would hold the others' answers.
    pollSizeMax: 1,
    // Runware's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: url.startsWith('https:') ? [] : [{ origin: new URL(url).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      return submitByCall(callOf(requestTask(submission), submitTimeoutMs, signal), answer =>
        outcomeOf(taskUuidOf(submission.attemptId), answer),
      )
    },
    poll: (polled, signal) => pollEach(polled, async one => (await ask('poll', one.providerTaskId, signal)) ?? { status: 'running' }),
    async checkKey(signal) {
      // A task that nobody sent: nothing is told of it (second-hand) to whoever has a key.
      const asked = callOf({ taskType: 'getResponse', taskUUID: crypto.randomUUID() }, readTimeoutMs, signal)
      const { status, body } = await callProvider({ ...asked, call: 'key-check', method: 'POST' })
      if (status === 401 || status === 403) return 'refused'
      if (status >= 200 && status < 300 && readItems(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a task that is not there`, true)
    },
    async identify({ providerTaskId }, signal) {
      return (await ask('poll', providerTaskId, signal)) && { attemptId: attemptIdOf(providerTaskId) }
    },
    async lookUp(attemptId, signal) {
      const taskUuid = taskUuidOf(attemptId)
      return (await ask('look-up', taskUuid, signal)) && taskUuid
    },
  }
}
