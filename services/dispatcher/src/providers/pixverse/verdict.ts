import { type ProviderAnswer, ProviderTrouble } from '../call'
import type { PollAnswer, RefusalCode, SubmitOutcome } from '../connector'
import { generating } from '../mapping/running'
import { billedUnits } from '../results/billed'
import { verdictByStatus } from '../submit-by-call'
import { answerForm, codeOf, outputUrlOf, submittedForm, type Video, videoForm } from './wire'

/** Codes by which what a video was to be made of was refused: docs.platform.pixverse.ai/error-codes-796041m0. */
const moderated = [500054, 500063]
/** The same, and the status of a video that was withheld. */
export const moderationWords = [...moderated.map(String), 'status 7'] as const

/** Of the key: pixverse-mcp 0.2.2, client/base.py. 400012 is “invalid account”. */
const ofKey = [10001, 10002, 10003, 10004, 10005, 400012]
/**
 * Codes after which something may run, whatever the status (the same page): “data not found”, “has been deleted”,
 * “high load”, “MySQL error”, “unknown error”.
 */
const mayRun = [500008, 500064, 500069, 500100, 99999]
/** Codes that say what is wrong with the submit itself, so that no video was made of it (the same page). */
const ofSubmit = [
  ...[400011, 400013, 400017, 400018, 400019, 400032],
  ...[500020, 500030, 500031, 500032, 500033, 500041, 500042, 500044, 500060, 500070, 500071, 500090],
]
const notFound = 500008

/** Whether an answer says that nothing was made, and why; undefined where it doesn't. */
export function refusalOf({ status, body }: ProviderAnswer): { code: RefusalCode; cause: string } | undefined {
  const errCode = codeOf(body)
  const cause = `answered ${status} ${errCode ?? 'no ErrCode'}`
  if (status >= 500 || status < 200 || (status >= 300 && status < 400)) return undefined
  if (errCode !== undefined && moderated.includes(errCode)) return { code: 'prompt_rejected', cause }
  const isRefusal = errCode !== undefined && (ofKey.includes(errCode) || ofSubmit.includes(errCode))
  const isCertain = errCode === undefined || !mayRun.includes(errCode)
  return isRefusal || (isCertain && verdictByStatus(status, 'json', cause).outcome === 'refused')
    ? { code: 'generation_unavailable', cause }
    : undefined
}

/** PixVerse takes its credits with the submit and says so there alone; what of them it gives back for a failure it doesn't tell. */
export function outcomeOf(answer: ProviderAnswer): SubmitOutcome {
  const refusal = refusalOf(answer)
  if (refusal) return { outcome: 'refused', ...refusal }
  const { status, body } = answer
  const errCode = codeOf(body)
  if (status !== 200 || !answerForm.Check(body) || errCode !== 0)
    return { outcome: 'unknown', cause: `answered ${status} ${errCode ?? 'no ErrCode'}` }
  if (!submittedForm.Check(body.Resp)) return { outcome: 'unknown', cause: 'answered 200 without an id' }
  const { video_id: id, credits } = body.Resp
  const billed = billedUnits(credits)
  return { outcome: 'accepted', providerTaskId: String(id), echoed: false, ...(billed && { billed }) }
}

/** A video by its id; undefined where PixVerse knows none. */
export function videoOf(providerTaskId: string, { status, body }: ProviderAnswer): Video | undefined {
  const errCode = codeOf(body)
  if (status === 200 && errCode === notFound) return undefined
  if (status !== 200 || !answerForm.Check(body) || errCode !== 0 || !videoForm.Check(body.Resp))
    throw new ProviderTrouble(`answered ${status} ${errCode ?? 'no ErrCode'} to a video`, true)
  const { id } = body.Resp
  if (id !== undefined && id !== null && String(id) !== providerTaskId) throw new ProviderTrouble('answered about another video', true)
  return body.Resp
}

/** 5 is “generating” (get-video-generation-status); 2 and 3 are in pixverse-mcp 0.2.2 alone. */
const running = [2, 3, 5]

/** 6 is “deleted”, which says nothing of whether it was made: it is no failure, and a person judges it. */
export function pollAnswerOf(video: Video): PollAnswer {
  const { status } = video
  if (running.includes(status)) return generating()
  if (status === 1) {
    const outputUrl = outputUrlOf(video)
    return outputUrl ? { status: 'succeeded', outputUrl } : { status: 'running', unknownWord: '1 without a URL' }
  }
  if (status === 7) return { status: 'failed', code: 'output_moderated', cause: 'failed: status 7' }
  if (status === 8) return { status: 'failed', code: 'generation_failed', cause: 'failed: status 8' }
  return { status: 'running', unknownWord: String(status).slice(0, 100) }
}

/** Whether the key is taken; undefined where an answer doesn't say. */
export function keyAnswerOf({ status, body }: ProviderAnswer): 'accepted' | 'refused' | undefined {
  const errCode = codeOf(body)
  if (status === 401 || status === 403 || (errCode !== undefined && ofKey.includes(errCode))) return 'refused'
  return status === 200 && errCode === 0 ? 'accepted' : undefined
}
