import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Due, DueAttempt } from '../../attempt/attempt'
import type { Transition } from '../../attempt/transition'
import { decideHealing, decideMissing, decidePoll } from '../../follow/decide'
import { copyFaultOf } from '../../output/copy-fault'
import { copyOutput } from '../../output/copy-output'
import { type CopyPayload, decideCopy } from '../../output/decide-copy'
import type { Connector, PollAnswer, Submission } from '../../providers/connector'
import { outcomeTransition, type SenderDeps } from '../../submit/sender'
import { submission } from '../drive-fake'
import type { Fake } from '../fakes'
import type { Verdict } from './expected'

const signal = new AbortController().signal
const now = () => new Date()
const minute = 60_000
const generationTimeoutMs = 120 * minute
const outputReviewAfterMs = 15 * minute
const deps = {
  now,
  newOutputKey: () => 'key',
  generationTimeoutMs,
  overduePollMs: minute,
  outputRetentionMs: 24 * 60 * minute,
  outputReviewAfterMs,
}

/** What was seen, and the event that the decisions publish for it at the latest. */
export type Observed = { verdict: Verdict | string; event: string | undefined }

const job = { kind: 'attempt', id: 'at_1', fairnessKey: '', payload: {}, epoch: 1, tries: 1 }
const attempt: DueAttempt = {
  ...{
    id: 'at_1',
    taskId: 'vt_1',
    accountId: 'acc_1',
    number: 1,
    provider: 'p',
    providerModel: 'm',
    model: 'm',
    generationMsMax: 60 * minute,
  },
  ...{ state: 'accepted', providerTaskId: 'x', echoed: false, traceparent: null, outputKey: null, senderLost: false, uploading: false },
  ...{ acceptedMsAgo: generationTimeoutMs, operatorAccepted: false, createdAt: new Date(), calledBackAs: null, absenceProves: false },
  ...{
    absenceCount: 0,
    absenceFirstMsAgo: null,
    absenceLastMsAgo: null,
    cancelAsked: false,
    unclearMsAgo: null,
    phase: null,
    queuePosition: null,
    percent: null,
  },
}
/** Without those that tell what is waited for, which decide nothing. */
const eventOf = (transition: Transition | undefined): string | undefined =>
  transition?.events?.find(event => event.case !== 'generationProgressed' || event.value?.heldAfter === undefined)?.case

/** A fake's order in the words of its route: the same for each answer. */
const sent = new Map<string, Submission>()
function submissionOf(provider: Connector, { name, order }: Fake): Submission {
  const admitBy = timestampFromMs(Date.now() + 60 * minute)
  const one = sent.get(name) ?? submission(provider, create(OrderSchema, { ...order, prompt: 'words', admitBy }))
  sent.set(name, one)
  return one
}

/** Submits the fake's order, and writes down what became of it. */
export async function observeSubmit(provider: Connector, fake: Fake): Promise<Observed> {
  const submitted = submissionOf(provider, fake)
  const outcome = await provider.submit(submitted, signal)
  const planned = { attempt, ready: { order: submitted.order, media: [] }, routes: [{ connector: provider }] } as never
  const transition = outcomeTransition({ ...deps } as unknown as SenderDeps, planned, job, outcome, false)
  const isPrompt = outcome.outcome === 'refused' && outcome.code === 'prompt_rejected'
  return { verdict: isPrompt ? 'prompt refused' : outcome.outcome, event: eventOf(transition) }
}

/** Ids of each format that the polls of two steps read. */
const taskIds: Record<string, string> = { 'google, Veo': 'models/veo/operations/7', 'google, Omni': 'v1_7', 'minimax, Hailuo': '7' }
/** Models by which MiniMax tells its versions apart. */
const providerModels: Record<string, string> = { 'minimax, H3': 'MiniMax-H3', 'minimax, Hailuo': 'MiniMax-Hailuo-2.3', fal: 'a/b' }

/** Polls one, and decides at its time-out, when it can't be left to run any more; before that only an end is decided. */
export async function observePoll(provider: Connector, fake: Fake): Promise<Observed> {
  const polled = {
    ...{ attemptId: 'at_1', providerTaskId: taskIds[fake.name] ?? 'x', providerModel: providerModels[fake.name] ?? 'm', echoed: false },
  }
  const [answer] = await provider.poll([polled], signal).catch(() => [])
  const decide = (acceptedMsAgo: number) => {
    const due: Due = { attempt: { ...attempt, acceptedMsAgo }, job, connector: provider }
    if (answer?.status === 'missing') return decideMissing(deps, due, {})
    return decidePoll(deps, due, answer as Exclude<PollAnswer, { status: 'missing' | 'inputs-unread' }> | undefined)
  }
  const early = eventOf(decide(0))
  const verdict = pollVerdict(answer)
  // What is no end must not end a generation that may be running.
  return {
    verdict: early && !ends.includes(verdict) ? `${verdict}, ended at once` : verdict,
    event: early ?? eventOf(decide(generationTimeoutMs)),
  }
}

const ends = ['failed', 'prompt rejected', 'output moderated', 'succeeded']
function pollVerdict(answer: PollAnswer | undefined): string {
  if (!answer) return 'unanswered'
  if (answer.status !== 'failed') return answer.status
  return answer.code === 'prompt_rejected' ? 'prompt rejected' : answer.code === 'output_moderated' ? 'output moderated' : 'failed'
}

/** Looks up an attempt whose answer was lost: it stays in review, unless something was found. */
export async function observeLookUp(provider: Connector): Promise<Observed> {
  const found = await provider.lookUp?.('at_1', signal).then(
    id => id ?? 'absent',
    () => undefined,
  )
  const due: Due = { attempt: { ...attempt, state: 'unknown', providerTaskId: null }, job, connector: provider }
  const transition = decideHealing(deps, due, {})
  return { verdict: found ?? 'unanswered', event: eventOf(transition) ?? 'generationUncertain' }
}

const outputRetryForMs = 360 * minute
const copyDeps = {
  ...{ now, outputRetryFirstMs: 5_000, outputRetryMsMax: 15 * minute, outputRetryForMs, outputReviewRetryMs: 60 * minute },
  ...{ outputRereadMs: 10 * minute, outputGoneSightingsMin: 5, outputGoneMs: 60 * minute, outputReviewAfterMs },
}
/** Takes every byte and keeps none: what is seen here comes before a store has its say. */
const outputs = {
  async putStream(_: string, body: AsyncIterable<Uint8Array>) {
    for await (const _chunk of body);
  },
} as unknown as ObjectStore

/** Copies an output, and decides try after try, the provider giving a fresh address each time, until it ends or is held for review. */
export async function observeOutput(provider: Connector, url: string, timeoutMs: number): Promise<Observed> {
  const { origin } = new URL(url)
  const policy = {
    forbiddenRanges: [],
    trustedOrigins: [{ origin }],
    ...(provider.outputCredential && { credential: provider.outputCredential }),
  }
  const limits = { headersTimeoutMs: timeoutMs }
  const readMp4 = () => Promise.reject(new Error('nothing here is a video'))
  const fault = await copyOutput(
    { outputs, policy, limits, publicRead: false, readMp4 },
    { url, key: 'key', fileName: 'film.mp4', signal },
  ).then(() => undefined, copyFaultOf)
  if (!fault) return { verdict: 'copied', event: undefined }
  let payload: CopyPayload = { url, faults: 0 }
  const startMs = Date.now()
  for (let nowMs = startMs, tries = 0, inReview = false; tries < 500; tries++) {
    const copying = { ...attempt, state: 'copying' as const, copyingMsAgo: nowMs - startMs, inReview, orderTerms: null }
    const recopy = { ...job, kind: 'recopy', payload }
    const transition = decideCopy(
      { ...copyDeps, now: () => new Date(nowMs) },
      { attempt: copying, job: recopy, fault, fresh: true, egressIsWell: true },
    )
    const event = eventOf(transition)
    // What is gone comes to review first; there it is tried on until that is proved.
    if (event === 'generationUncertain' && fault.kind === 'gone') inReview = true
    else if (event) return { verdict: event === 'generationFailed' ? (fault.kind === 'gone' ? 'gone' : 'no video') : 'again', event }
    if (transition.after.next !== 'again') return { verdict: transition.after.next, event }
    payload = transition.after.payload as CopyPayload
    nowMs += transition.after.afterMs
  }
  return { verdict: 'never ends', event: undefined }
}
