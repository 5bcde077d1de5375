import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { toBinary } from '@bufbuild/protobuf'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Failure } from '@filmgate/kit/failure'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type KindLimits, KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CpuBudget } from '../child/cpu-budget'
import type { SourceFile } from '../child/source-file'
import type { Tools } from '../child/tools'
import { clean } from '../cleaning/clean'
import { findingOf, isRejection, type RejectionCode, reject } from '../errors'
import { secondsTolerance } from '../limits/check'
import { measure } from '../measuring/measure'
import type { Measurement } from '../measuring/measurement'
import { measuredKeptMs, rejectionKeptMs, rejectionsOfContent } from './kept'
import { findVerdict, insertVerdict, type Verdict, type VerdictKey } from './verdict-repository'

export type JudgeDeps = { sql: Sql; tools: Tools; checker: string }
/** `needsCopy`: the caller stores the clean copy; otherwise there may be none. */
export type JudgeInput = { accountId: string; source: SourceFile & { cpu: CpuBudget }; needsCopy: boolean }

const reused = counter('probe_verdicts_reused', 'Files that were not decoded, because the same bytes had been judged', {
  outcome: ['measured', 'rejected'],
})

/**
 * Writes the clean copy of a downloaded file and measures it, unless the account's same bytes were judged before. A
 * remembered rejection starts no child. A remembered copy is written again, and decoded only if it is another.
 */
export async function judge(deps: JudgeDeps, { accountId, source, needsCopy }: JudgeInput): Promise<Measurement> {
  const { sql, checker } = deps
  const key = { accountId, sha256: await sha256Of(source.path), checker, limits: limitsDigest(source.limits) }
  const known = await findVerdict(sql, key, rejectionsOfContent)
  if (known && 'rejected' in known) {
    reused.add(1, { outcome: 'rejected' })
    throw reject(known.rejected, known.finding, 'the same bytes were rejected before')
  }
  if (known && declaresLength(source, known.measured) && (!needsCopy || (await writesSameCopy(deps, source, known.copySha256)))) {
    reused.add(1, { outcome: 'measured' })
    return known.measured
  }
  return measureAndRemember(deps, key, source)
}

/** The length as requests declare it: whole seconds, rounded up. */
export const declaredLengthOf = ({ seconds }: Measurement): number => Math.ceil(seconds - secondsTolerance)

/** A declaration of another length is measured anew. */
const declaresLength = ({ declaredSeconds }: SourceFile, measured: Measurement): boolean =>
  declaredSeconds === 0 || declaredSeconds === declaredLengthOf(measured)

/** Writes the copy again. If it is not the one that was measured, removes it. */
async function writesSameCopy({ tools }: JudgeDeps, source: SourceFile, copySha256: string): Promise<boolean> {
  await clean(tools, source)
  const same = (await sha256Of(source.copyPath)) === copySha256
  await (same ? source.onCopy?.() : rm(source.copyPath))
  return same
}

async function measureAndRemember({ sql, tools }: JudgeDeps, key: VerdictKey, source: JudgeInput['source']): Promise<Measurement> {
  const cpu = countCpu(source.cpu)
  const beganMs = performance.now()
  // Movies are cleaned by children, which the budget counts; pictures and sounds in this process.
  const countCleaning = () => source.kind !== MediaKind.VIDEO && cpu.take((performance.now() - beganMs) / 1_000)
  let copySha256 = ''
  const onCopy = async () => {
    countCleaning()
    copySha256 = await sha256Of(source.copyPath)
    await source.onCopy?.()
  }
  try {
    const measured = await measure(tools, { ...source, cpu, onCopy })
    const verdict = { measured, copySha256 }
    await insertVerdict(sql, { ...key, verdict, processorSeconds: cpu.seconds(), keptMs: measuredKeptMs })
    return measured
  } catch (error) {
    if (copySha256 === '') countCleaning()
    const keptMs = isRejection(error) && !isOfOtherFiles(error, cpu) ? rejectionKeptMs[error.reason] : 0
    const verdict = isRejection(error) ? { rejected: error.reason, finding: findingOf(error) } : noVerdict
    // Without a verdict that holds, the row counts the processor time alone.
    await insertVerdict(sql, { ...key, verdict, processorSeconds: cpu.seconds(), keptMs })
    throw error
  }
}

const noVerdict: Verdict = { rejected: 'generation_unavailable', finding: { measured: '', limit: '' } }

type CountedCpu = CpuBudget & { seconds(): number }

/** Counts what one file takes of its task's budget. */
function countCpu(budget: CpuBudget): CountedCpu {
  let taken = 0
  return {
    secondsMax: budget.secondsMax,
    secondsLeft: budget.secondsLeft,
    take(seconds) {
      taken += seconds
      budget.take(seconds)
    },
    seconds: () => taken,
  }
}

/** Whether the task's other files used up the processor time that this one lacked. */
const isOfOtherFiles = ({ reason }: Failure<RejectionCode>, cpu: CountedCpu): boolean =>
  reason === 'media_too_large' && cpu.secondsLeft() <= 0 && cpu.seconds() < cpu.secondsMax

const limitsDigest = (limits: KindLimits): string => createHash('sha256').update(toBinary(KindLimitsSchema, limits)).digest('hex')

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
