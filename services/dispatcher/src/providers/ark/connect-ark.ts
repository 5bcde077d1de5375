import { callProvider, type ProviderCall, ProviderTrouble } from '../call'
import {
  type Capabilities,
  type Connector,
  type Submission,
  type SubmitOutcome,
  undocumentedBudget,
  undocumentedGenerationMs,
} from '../connector'
import { submitByCall } from '../submit-by-call'
import { dearerBy, modelAt, requestBody } from './request-body'
import { answerOf, moderationWords, outcomeOf } from './verdict'
import { type Listed, listedIn, ownIdIn } from './wire'

export type ArkOptions = {
  url: string
  key: string
  submitTimeoutMs: number
  readTimeoutMs: number
  /** Whether attempts' ids are sent as safety_identifier, which Ark wants to be one for each end user. */
  marksAttempts: boolean
}

const hour = 3_600_000
/** Tasks in one list: 1521675 allows 500, which are at most about 1 MB. */
const listedMax = 500

/** Numbers are pages of docs.byteplus.com/en/docs/ModelArk and volcengine.com/docs/82379, which have the same ones. */
const capabilitiesOf = (marksAttempts: boolean): Capabilities => ({
  standsIn: false,
  // 1520757 has no field for an id of the caller's. safety_identifier is returned as it was sent; two submits under one are two tasks.
  ownId: marksAttempts ? 'echoed' : 'none',
  carriesOwnId: marksAttempts,
  // 1521675: a list of seven days, by model, status or id. Its order and what it may lag behind are not documented.
  lookUp: marksAttempts ? 'own-id-if-found' : 'none',
  // Not documented. Absence is never judged: it only says from when on one that is not found is looked up.
  visibilityMs: 60_000,
  // 1520757: a task expires after 48 hours (execution_expires_after), which is past every bound here.
  generationMsMax: undocumentedGenerationMs,
  // 1520757: a POST to callback_url with nothing that is signed.
  callback: 'unsigned',
  // 1521720: DELETE takes a queued task out of its queue, and deletes one that has ended meanwhile with its video. It is never sent.
  cancel: 'none',
  // 1099320, in a copy: “Only successfully generated videos are charged.”
  billedOnFailure: 'never',
  moderationWords,
  // 1520757: seven days from its creation.
  resultExpiryMs: 168 * hour,
  // 1521309: the video is deleted after 24 hours.
  outputExpiryMs: 24 * hour,
})

/**
 * Ark, where ByteDance sells Seedance: as Volcengine in China and as BytePlus elsewhere, with the same calls and keys of their own. It is asked
 * about many tasks in one call, by list. Nothing here ever sends a DELETE: one that comes after a task’s end destroys the way to its video.
 */
export function connectArk({ url, key, submitTimeoutMs, readTimeoutMs, marksAttempts }: ArkOptions): Connector {
  const provider = 'ark'
  const base = url.replace(/\/$/, '')
  const tasks = `${base}/contents/generations/tasks`
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  const getList = (call: ProviderCall['call'], size: number, ids: string[], signal: AbortSignal) => {
    const query = new URLSearchParams({ page_num: '1', page_size: String(size) })
    for (const id of ids) query.append('filter.task_ids', id)
    return callProvider({ provider, call, url: `${tasks}?${query}`, method: 'GET', headers, timeoutMs: readTimeoutMs, signal })
  }

  async function list(call: ProviderCall['call'], size: number, ids: string[], signal: AbortSignal): Promise<Listed> {
    const { status, body } = await getList(call, size, ids, signal)
    const listed = status === 200 ? listedIn(body) : undefined
    if (!listed) throw new ProviderTrouble(`answered ${status} to a ${call}`, true)
    return listed
  }

  /** The id of the one task that was submitted under ours, among the newest. */
  async function lookUp(attemptId: string, signal: AbortSignal): Promise<string | undefined> {
    const { found } = await list('look-up', listedMax, [], signal)
    const own = new Set(found.filter(task => ownIdIn(task) === attemptId).map(({ id }) => id))
    if (own.size > 1) throw new ProviderTrouble('lists two tasks under one id of ours', true)
    return [...own][0]
  }

  return {
    provider,
    capabilities: capabilitiesOf(marksAttempts),
    // A video takes from half a minute to several; no limit of polls is documented.
    cadence: { firstMs: 5_000, ofAge: 0.1, maxMs: 30_000 },
    budget: undocumentedBudget,
    // As many ids as fit well into an address.
    pollSizeMax: 50,
    // Ark's outputs are public; only a stand-in on a developer's machine hands them out itself.
    outputOrigins: base.startsWith('https:') ? [] : [{ origin: new URL(base).origin }],
    async submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome> {
      const body = requestBody({ ...submission, providerModel: modelAt(base, submission.providerModel) }, marksAttempts)
      const dearer = dearerBy(body, submission.order.prompt)
      if (dearer) return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${dearer}`, unsent: true }
      return submitByCall({ provider, url: tasks, headers, body: JSON.stringify(body), timeoutMs: submitTimeoutMs, signal }, answer =>
        outcomeOf(submission.attemptId, answer),
      )
    },
    async poll(polled, signal) {
      const ids = polled.map(one => one.providerTaskId)
      const { found, whole } = await list('poll', listedMax, ids, signal)
      const byId = new Map(found.map(task => [task.id, task]))
      return polled.map(one => {
        const task = byId.get(one.providerTaskId)
        return task || whole ? answerOf(one, task) : undefined
      })
    },
    async checkKey(signal) {
      const { status, body } = await getList('key-check', 1, [], signal)
      if (status === 401 || status === 403) return 'refused'
      if (status === 200 && listedIn(body)) return 'accepted'
      throw new ProviderTrouble(`answered ${status} to a list`, true)
    },
    async identify({ providerTaskId }, signal) {
      const { found, whole } = await list('poll', listedMax, [providerTaskId], signal)
      const task = found.find(({ id }) => id === providerTaskId)
      if (!task && !whole) throw new ProviderTrouble('answered with something that is no task', true)
      return task && { attemptId: ownIdIn(task) }
    },
    ...(marksAttempts && { lookUp }),
  }
}
