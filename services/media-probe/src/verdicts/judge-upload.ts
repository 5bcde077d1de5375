import { fromJson } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { uploadAt, uploadUrlOf } from '@filmgate/kit/upload-url'
import { type KindLimits, KindLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { UploadQuestion, UploadVerdict } from '@filmgate/proto/upload-verdict'
import { createCpuBudget } from '../child/cpu-budget'
import { isRejection, OwnFault, type Reason, rejectionMessage } from '../errors'
import { createByteBudget } from '../fetching/byte-budget'
import { createGate, type Gate } from '../fetching/gate'
import type { WorkFolder } from '../fetching/work-folder'
import { bytesMaxOf } from '../limits/check'
import { type FetchAndJudgeDeps, fetchAndJudge } from './fetch-and-judge'
import { declaredLengthOf } from './judge'
import { processorSecondsOf } from './verdict-repository'

export type JudgeUploadDeps = FetchAndJudgeDeps & {
  /** Undefined: there is no bucket of uploads. */
  uploads: Pick<ObjectStore, 'presignGet'> | undefined
  uploadGate: Gate
  workFolder: WorkFolder
  taskCpuSecondsMax: number
}

/** Judging goes on when its caller has left: the request that names the upload then finds the verdict. */
const judgeMsMax = 240_000
/** Of the verdicts of an account. Above it, an upload is judged when a request names it, which has a price. */
export const processorSecondsHourMax = 600
const waitingMax = 32
/** Less than all, so that no account keeps the others out. */
const accountWaitingMax = 4

const judged = counter('probe_uploads_judged', 'Uploads judged for the gateway before a request names them', {
  outcome: ['fits', 'rejected', 'unavailable'],
})

/** Uploads use at most half of the places for measuring, and an account one of them. */
export const createUploadGate = (measuresMax: number): Gate => {
  const slotsMax = Math.ceil(measuresMax / 2)
  return createGate({ slotsMax, perAccountMax: 1, perHostMax: slotsMax })
}

/** Judges an upload before a request names it. The verdict is kept, so the request does not pay for it again. */
export async function judgeUpload(deps: JudgeUploadDeps, question: UploadQuestion): Promise<UploadVerdict> {
  const limits = limitsOf(question)
  const upload = await requireUpload(deps, question.url)
  try {
    const verdict = await judgeInTurn(deps, { ...upload, signedUrl: question.url, limits })
    judged.add(1, { outcome: verdict.verdict })
    return verdict
  } catch (error) {
    judged.add(1, { outcome: 'unavailable' })
    throw error
  }
}

type UploadInput = { key: string; accountId: string; signedUrl: string; limits: KindLimits }

async function judgeInTurn(deps: JudgeUploadDeps, upload: UploadInput): Promise<UploadVerdict> {
  const { accountId } = upload
  if (deps.uploadGate.waiting(accountId) >= accountWaitingMax || deps.uploadGate.waiting() >= waitingMax)
    throw new Failure<Reason>('verdict_unavailable')
  const signal = AbortSignal.timeout(judgeMsMax)
  try {
    const release = await deps.uploadGate.acquire({ account: accountId, host: '' }, signal)
    return await judgeWithinBudget(deps, upload, signal).finally(release)
  } catch (error) {
    if (isRejection(error)) return { verdict: 'rejected', code: error.reason, message: rejectionMessage(error) }
    if (error instanceof OwnFault || signal.aborted) throw new Failure<Reason>('verdict_unavailable', { cause: error })
    throw error
  }
}

async function judgeWithinBudget(deps: JudgeUploadDeps, upload: UploadInput, signal: AbortSignal): Promise<UploadVerdict> {
  if ((await processorSecondsOf(deps.sql, upload.accountId)) >= processorSecondsHourMax) throw new Failure<Reason>('verdict_unavailable')
  return fetchAndDescribe(deps, upload, signal)
}

async function fetchAndDescribe(
  deps: JudgeUploadDeps,
  { key, accountId, signedUrl, limits }: UploadInput,
  signal: AbortSignal,
): Promise<UploadVerdict> {
  // The store decides by the caller's signature whether the caller may read the object.
  const fetching = { ...deps.fetching, uploads: { presignGet: async () => signedUrl } }
  const [cpu, budget] = [createCpuBudget(deps.taskCpuSecondsMax), createByteBudget(bytesMaxOf(limits))]
  const folder = await deps.workFolder.open(`upload-${crypto.randomUUID()}`)
  try {
    const file = { accountId, url: uploadUrlOf(key), limits, declaredSeconds: 0, needsCopy: false, name: '0' }
    const { measured } = await fetchAndJudge({ ...deps, fetching }, { ...file, folder, budget, cpu, signal })
    const { width, height, seconds } = measured
    return { verdict: 'fits', width, height, seconds, declared_seconds: Math.max(0, declaredLengthOf(measured)) }
  } finally {
    await folder.remove()
    deps.gates.download.recheck()
  }
}

/** The upload that a signed address names: it differs from our own address of the object by its signature alone. */
async function requireUpload({ uploads }: JudgeUploadDeps, url: string): Promise<{ key: string; accountId: string }> {
  const given = URL.parse(url)
  const [, account = '', name = ''] = /\/([^/]+)\/([^/]+)$/.exec(given?.pathname ?? '') ?? []
  const upload = uploadAt(uploadUrlOf(`${account}/${name}`))
  const own = upload && uploads && new URL(await uploads.presignGet(upload.key, 1))
  if (!given || !own || given.origin !== own.origin || given.pathname !== own.pathname || given.username !== '')
    throw new Failure<Reason>('upload_not_found')
  return upload
}

function limitsOf({ kind, limits }: UploadQuestion): KindLimits {
  try {
    return fromJson(KindLimitsSchema, { ...(limits as object), kind: `MEDIA_KIND_${kind.toUpperCase()}` })
  } catch (cause) {
    throw new Failure<Reason>('invalid_request', { message: 'limits: not as media_limits has them', cause })
  }
}
