import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { deleteHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, histogram, late } from '@filmgate/kit/telemetry/metrics'
import { completed } from '../attempt/events'
import { copyJob } from '../attempt/jobs'
import { decodeTerms } from '../attempt/order'
import type { Transition } from '../attempt/transition'
import { failedTransition } from '../attempt/transition'
import type { WriteTransition } from '../attempt/write-transitions'
import { priceDelivery, shortfallKinds } from '../delivery/price-delivery'
import type { Connector, PollAnswer } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { copyFaultOf } from './copy-fault'
import { type Copied, type CopyDeps, copyOutput } from './copy-output'
import { type CopyPayload, type DecideCopyDeps, decideCopy, holdUnended } from './decide-copy'
import { type CopyingAttempt, findCopying } from './output-repository'
import { type AskForPoster, posterUrlOf } from './poster'

export type FinishDeps = Omit<CopyDeps, 'policy'> &
  DecideCopyDeps & {
    sql: Sql
    routing: Routing
    write: WriteTransition
    forbiddenRanges: CopyDeps['policy']['forbiddenRanges']
    userAgent: CopyDeps['policy']['userAgent']
    outputBaseUrl: string
    outputRetentionMs: number
    askForPoster: AskForPoster
    egress: OwnEgress
    /** Bounds a whole copy, storage included. */
    copyTimeoutMs: number
    log: Log
  }

const copies = counter('output_copies', 'Tries to copy an output, by how they ended', {
  provider: late,
  result: ['copied', 'not_video', 'gone', 'refused', 'too_large', 'forbidden', 'unfetched', 'unread', 'own_fault', 'acl_refused'],
})
const seconds = histogram('output_copy_seconds', 'Time to copy an output', [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900])
const shortfallsSeen = counter('delivery_shortfalls', 'Outputs that are less than was ordered, beyond the tolerance', {
  ...{ provider: late, model: late, kind: shortfallKinds },
})
const bytesCopied = counter('output_copied_bytes', 'Bytes of outputs copied')

export type OwnEgress = ReturnType<typeof createOwnEgress>

/** When this process last fetched an output: after that, a host that gives none is not our own way out. */
export function createOwnEgress(nowMs: () => number = () => performance.now()) {
  let fetchedAtMs = Number.NEGATIVE_INFINITY
  return {
    fetched(): void {
      fetchedAtMs = nowMs()
    },
    isWell: (withinMs: number): boolean => nowMs() - fetchedAtMs < withinMs,
  }
}

/** Copies the output of an attempt into managed storage; the generation is completed only after that. */
export async function finish(deps: FinishDeps, job: Job<CopyPayload>, signal: AbortSignal): Promise<void> {
  const attempt = await findCopying(deps.sql, job.id)
  if (!attempt?.outputKey) return void (await deleteHeldJobs(deps.sql, [job]))
  const held = holdUnended(deps, attempt, job)
  if (held) return void (await deps.write(held))
  const connector = deps.routing.connectorOf(attempt.provider)
  const source = await sourceOf(attempt, job, connector, signal)
  if ('verdict' in source) return void (await deps.write(failedTransition(deps.now(), attempt, job, source.verdict)))
  const startedAt = performance.now()
  try {
    if (!connector) throw new Error(`its provider ${attempt.provider} is not configured`)
    const { outputs, limits, publicRead, forbiddenRanges, userAgent, readMp4 } = deps
    const { outputOrigins: trustedOrigins, outputCredential: credential } = connector
    const copied = await copyOutput(
      { outputs, limits, publicRead, readMp4, policy: { forbiddenRanges, userAgent, trustedOrigins, credential } },
      {
        url: source.url,
        key: attempt.outputKey,
        fileName: `${attempt.taskId}.mp4`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(deps.copyTimeoutMs)]),
      },
    )
    seconds.record((performance.now() - startedAt) / 1_000)
    deps.egress.fetched()
    bytesCopied.add(copied.bytes)
    copies.add(1, { provider: attempt.provider, result: 'copied' })
    const transition = await completedTransition(deps, attempt, job, attempt.outputKey, copied)
    if (await deps.write(transition)) countShortfalls(attempt, transition)
  } catch (error) {
    if (signal.aborted) throw error
    const fault = copyFaultOf(error)
    copies.add(1, { provider: attempt.provider, result: fault.kind })
    deps.log.warn({ err: error, attempt: attempt.id, faults: job.payload.faults, fault: fault.kind }, 'output not copied')
    // The latest URL is the one that lasts longest, should the provider give no more.
    const latest = { ...job, payload: { ...job.payload, url: source.url } }
    const egressIsWell = source.answered || deps.egress.isWell(deps.outputReviewAfterMs)
    await deps.write(decideCopy(deps, { attempt, job: latest, fault, fresh: source.fresh, egressIsWell }))
  }
}

function countShortfalls({ provider, model }: CopyingAttempt, { columns }: Transition): void {
  for (const kind of columns?.delivery?.shortfalls ?? []) shortfallsSeen.add(1, { provider, model, kind })
}

/** `answered`: the provider was asked for this try, and said something. */
type Source = { url: string; fresh: boolean; answered: boolean } | { verdict: Extract<PollAnswer, { status: 'failed' }> }

/**
 * The first try takes the URL the poll gave; later ones ask for a fresh one, because a provider's URLs go stale. A provider that answers by then that
 * the generation failed is believed; after any other answer, or none, the URL we have is tried again.
 */
async function sourceOf(
  attempt: CopyingAttempt,
  job: Job<CopyPayload>,
  connector: Connector | undefined,
  signal: AbortSignal,
): Promise<Source> {
  const { url, faults } = job.payload
  if (!connector || (job.kind === copyJob && faults === 0)) return { url, fresh: false, answered: false }
  const { id: attemptId, providerTaskId, providerModel, echoed } = attempt
  const polled = { attemptId, providerTaskId: providerTaskId ?? '', providerModel, echoed }
  const [answer] = await connector.poll([polled], signal).catch(() => [])
  if (answer?.status === 'failed') return { verdict: answer }
  if (answer?.status === 'succeeded') return { url: answer.outputUrl, fresh: true, answered: true }
  return { url, fresh: false, answered: answer !== undefined }
}

/** The retention starts anew: the copy may have been tried for as long as outputs are kept, and its client has paid for a video it can fetch. */
async function completedTransition(
  deps: FinishDeps,
  attempt: CopyingAttempt,
  job: Job,
  key: string,
  { bytes, sha256, measured }: Copied,
): Promise<Transition> {
  const { shortfalls, dueCredits } = attempt.orderTerms
    ? priceDelivery(decodeTerms(attempt.orderTerms), measured)
    : { shortfalls: [], dueCredits: undefined }
  const { codedWidth, codedHeight, ...displayed } = measured
  const delivery = { ...displayed, shortfalls }
  const poster = await deps.askForPoster(key, deps.outputRetentionMs)
  return {
    attempt,
    job,
    to: 'completed',
    columns: {
      ...{ outputBytes: bytes, outputSha256: sha256, outputRetentionMs: deps.outputRetentionMs, delivery },
      ...(dueCredits !== undefined && { dueCredits }),
    },
    events: [
      completed(attempt, deps.now(), {
        videoUrl: `${deps.outputBaseUrl}/${key}`,
        bytes,
        sha256,
        poster,
        posterUrl: posterUrlOf(deps.outputBaseUrl, key),
        delivery,
        dueCredits: dueCredits ?? null,
      }),
    ],
    after: { next: 'end' },
  }
}
