import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, ProviderTask, SubmitOutcome } from '../connector'
import { generating, queued } from '../mapping/running'
import { billedUnits, withBilled } from '../results/billed'
import { succeededWith, videoUrlsIn } from '../results/videos'
import { verdictByStatus } from '../submit-by-call'
import { codeOf, fileIdOf, fileOf, type Stated, secondsOf, statedIn, statusForm, type Task, taskForm, taskIdOf } from './wire'

const [inputSensitive, outputSensitive] = [1026, 1027]
/** Of what was to be made, and of what was made: errorcode. */
export const moderationWords = [String(inputSensitive), String(outputSensitive)]

/** Codes that say something of a call alone: its key, its rate, its connections (errorcode). */
const ofThisCall = [1002, 1004, 1039, 1041, 2045, 2049]
/** Beside `Fail` these say something of the query, too: its time, the account, its plan. A fault of MiniMax's own may be the task's. */
const ofThisQuery = [...ofThisCall, 1001, 1008, 1028, 1030, 2038, 2056, 2061]
/**
 * Codes by which nothing was made: errorcode; 1028, 1030 and 2061 (the plan has no more of it, or not this model) in mmx-cli 1.0.27, 2038 (who
 * pays is not known yet) in minimax-mcp 0.0.19. Those left out are MiniMax's own faults (1000, 1001, 1013, 1024, 1033), which may follow an acceptance.
 */
const refusals = [...ofThisCall, 1008, inputSensitive, 1028, 1030, 1042, 2013, 2038, 2056, 2061]
/** Types of errors by which nothing was made, with the status of each: video-generation-v2-create. */
const refusalTypes: Record<string, number> = {
  bad_request_error: 400,
  authorized_error: 401,
  insufficient_balance_error: 402,
  unprocessable_entity_error: 422,
  rate_limit_error: 429,
}

const causeOf = (status: number, { code, type }: Stated): string => `answered ${status} ${code ?? wordOf(type) ?? 'no code'}`
const wordOf = (type: string | undefined) => (type !== undefined && /^[a-z0-9_]{1,100}$/.test(type) ? type : undefined)

/** What a submit came to. An error comes with a status of HTTP at H3, and with 200 and a code at Hailuo; either form is read at both. */
export function outcomeOf({ status, body }: ProviderAnswer): SubmitOutcome {
  const stated = statedIn(body)
  const { code, type } = stated
  const providerTaskId = taskIdOf(body)
  if (status === 200 && providerTaskId !== undefined && (code ?? 0) === 0 && type === undefined)
    return { outcome: 'accepted', providerTaskId, echoed: false }
  const cause = causeOf(status, stated)
  // 408, 409 and 499 may come after the task was taken.
  const mayRefuse = providerTaskId === undefined && (status === 200 || (status >= 400 && status < 500 && ![408, 409, 499].includes(status)))
  const isRefusal = code === undefined ? type !== undefined && refusalTypes[type] === status : refusals.includes(code)
  if (mayRefuse && !isRefusal && code === undefined) return verdictByStatus(status, 'json', cause)
  if (!mayRefuse || !isRefusal) return { outcome: 'unknown', cause }
  const isModerated = code === inputSensitive || (code === undefined && status === 422)
  return { outcome: 'refused', code: isModerated ? 'prompt_rejected' : 'generation_unavailable', cause }
}

/** Which status comes with it is not documented: second-hand, 500 at H3 and 200 at Hailuo; for a task of more than seven days ago it is `invalid task_id`. */
export const isOfNoTask = ({ status, body }: ProviderAnswer): boolean =>
  [200, 400, 404, 500].includes(status) && /\b(record not found|task not found|invalid task_id)\b/i.test(statedIn(body).words)

/** What a query says of a task of H3's, and of how many seconds it was. What it charges for many input images is in no count that it tells. */
export function toldOfH3({ providerTaskId, providerModel }: ProviderTask, { status: httpStatus, body }: ProviderAnswer): PollAnswer {
  const stated = statedIn(body)
  if (httpStatus !== 200 || (stated.code ?? 0) !== 0 || !taskForm.Check(body)) throw troubled(httpStatus, stated)
  const { task } = body
  if (task.id !== providerTaskId || task.model !== providerModel) throw new ProviderTrouble('answered about another task', true)
  return withBilled(verdictOfH3(task), billedUnits(secondsOf(task)))
}

function verdictOfH3(task: Task): PollAnswer {
  const { status } = task
  if (status === 'queued') return queued()
  if (status === 'running') return generating()
  if (status === 'succeeded') return withVideo(videoUrlsIn(task.content, 'url'), status)
  // No video comes of these: taken out of the queue under our key, or too late (`expired` is on the page video-generation-v2-delete of platform.minimaxi.com).
  if (status === 'cancelled' || status === 'expired') return { status: 'failed', code: 'generation_failed', cause: status }
  return status === 'failed' ? failedBy(codeOf(task)) : { status: 'running', unknownWord: status }
}

/** What a query says of a task of Hailuo's: the id of its file once that is there. */
export function toldOfHailuo(
  { providerTaskId }: ProviderTask,
  { status: httpStatus, body }: ProviderAnswer,
): PollAnswer | { fileId: string } {
  const stated = statedIn(body)
  if (httpStatus !== 200 || !statusForm.Check(body)) throw troubled(httpStatus, stated)
  const { status, task_id: id, file_id: file, base_resp: answer } = body
  if (String(id) !== providerTaskId) throw new ProviderTrouble('answered about another task', true)
  // mmx-cli 1.0.27 has `Failed` for what the reference calls `Fail`.
  const isFailed = status === 'Fail' || status === 'Failed'
  if (isFailed ? ofThisQuery.includes(answer.status_code) : answer.status_code !== 0) throw troubled(httpStatus, stated)
  if (isFailed) return failedBy(answer.status_code === 0 ? undefined : answer.status_code)
  if (status === 'Preparing' || status === 'Queueing') return queued()
  if (status === 'Processing') return generating()
  if (status !== 'Success') return { status: 'running', unknownWord: status }
  const fileId = fileIdOf(file)
  return fileId === undefined ? { status: 'running', unknownWord: 'Success without a file' } : { fileId }
}

/** What became of asking for a file. */
export function toldOfFile(fileId: string, { status, body }: ProviderAnswer): PollAnswer {
  const stated = statedIn(body)
  const file = fileOf(body, fileId)
  if (status !== 200 || (stated.code ?? 0) !== 0 || !file) throw troubled(status, stated)
  return withVideo(videoUrlsIn(file.url, 'url'), 'Success')
}

const troubled = (status: number, stated: Stated) => new ProviderTrouble(`${causeOf(status, stated)} to a query`, true)

const withVideo = (urls: string[], word: string): PollAnswer =>
  succeededWith(urls) ?? { status: 'running', unknownWord: `${word} without a URL` }

function failedBy(code: number | undefined): PollAnswer {
  const cause = `failed: ${code ?? 'no code'}`
  if (code === inputSensitive) return { status: 'failed', code: 'prompt_rejected', cause }
  return { status: 'failed', code: code === outputSensitive ? 'output_moderated' : 'generation_failed', cause }
}
