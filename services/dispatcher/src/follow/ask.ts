import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import { provesAbsence } from '../absence/provider-health'
import { type RecordMissDeps, recordMiss } from '../absence/record-miss'
import type { Due } from '../attempt/attempt'
import type { Transition } from '../attempt/transition'
import { isCancelAsked } from '../cancel/cancel-repository'
import type { KeepProgress } from '../progress/keep-progress'
import type { Connector, PollAnswer } from '../providers/connector'
import { countTold } from '../providers/tally'
import { inputsUnread } from '../submit/unread-inputs'
import { identifyCalledBack } from './callbacks/identify-called-back'
import {
  type DecideDeps,
  decideHealing,
  decideMissing,
  decideNotSubmitted,
  decidePoll,
  decideUnread,
  type LookedUp,
  refusedIdTransition,
} from './decide'
import { type PlanSuccessorDeps, planOnceReadable, planSuccessor } from './plan-successor'

const costsTold = counter('provider_costs_told', 'Generations that a provider ended, by what it told of their cost', {
  provider: late,
  told: ['money', 'units', 'nothing'],
})

const extraOutputs = counter('provider_extra_outputs', 'Videos that a provider named beside the one that was ordered; the first is taken', {
  provider: late,
})

export type AskDeps = DecideDeps & PlanSuccessorDeps & RecordMissDeps & { log: Log; keepProgress: KeepProgress }

const polls = counter('provider_polls', 'Polls by what the provider answered', {
  provider: late,
  status: ['running', 'succeeded', 'failed', 'cancelled', 'missing', 'inputs-unread', 'none'],
})
const unknownWords = counter('provider_unknown_words', 'Status words a provider used that we do not know; taken as still running', {
  provider: late,
})

/** Looks up an attempt whose submit's outcome isn't known: by the id that its provider named since in a signed callback, or by our own. */
export async function heal(deps: AskDeps, due: Due, signal: AbortSignal): Promise<Transition | undefined> {
  const { attempt } = due
  if (attempt.state === 'sending' && attempt.uploading) return decideNotSubmitted(deps, due, await planSuccessor(deps, due))
  const identified =
    attempt.state === 'unknown' && attempt.providerTaskId === null ? await identifyCalledBack(deps, due, signal) : undefined
  if (identified && 'found' in identified) return decideHealing(deps, due, identified)
  const looked = await lookUp(deps, due, signal)
  // An absence beside the provider's signed word that it has something is for a person to judge.
  const lookedUp = attempt.calledBackAs !== null && looked.miss ? {} : looked
  const crashed = attempt.state === 'sending' || attempt.senderLost
  const successor = lookedUp.miss?.proves && crashed ? await planSuccessor(deps, due) : undefined
  return decideHealing(deps, due, lookedUp, successor) ?? (identified && refusedIdTransition(due, identified.refused))
}

/** Polls attempts of one provider in one call. What becomes of each is told as soon as it is known: one that has to be looked up as well holds no other's. */
export function poll(deps: AskDeps, connector: Connector, due: Due[], signal: AbortSignal): Promise<Transition | undefined>[] {
  const answered = answersOf(deps, connector, due, signal)
  return due.map(async (one, index) => {
    const answer = (await answered)[index]
    if (answer?.status === 'inputs-unread') return inputsUnreadTransition(deps, one, answer)
    if (answer?.status === 'cancelled' && !one.attempt.cancelAsked)
      // Asked after this poll was claimed: then the cancel is ours.
      one.attempt.cancelAsked = await isCancelAsked(deps.sql, one.attempt.id)
    if (answer?.status !== 'missing') return decidePoll(deps, one, answer)
    return decideMissing(deps, one, await lookUp(deps, one, signal))
  })
}

async function answersOf(deps: AskDeps, connector: Connector, due: Due[], signal: AbortSignal): Promise<(PollAnswer | undefined)[]> {
  const asked = due.map(({ attempt: { id, providerTaskId, providerModel, echoed } }) => ({
    ...{ attemptId: id, providerTaskId: providerTaskId ?? '', providerModel, echoed },
  }))
  const answers = await connector.poll(asked, signal).catch(error => {
    if (!signal.aborted) deps.log.warn({ err: error, provider: connector.provider, attempts: due.length }, 'poll got no usable answer')
    return []
  })
  if (answers.some(answer => answer !== undefined)) countTold()
  if (isOdd(connector, due, answers)) void deps.health.check(connector, signal)
  countAnswers(
    deps,
    connector,
    due.map((one, index) => ({ one, answer: answers[index] })),
  )
  return answers
}

/**
 * Whether it is to be looked at what the provider shows of others, so that somebody hears of a wrong key, another project or a replica that stands still:
 * it gave no usable answer, or knows nothing of one where that proves nothing and so is judged by nobody else.
 */
const isOdd = (connector: Connector, due: Due[], answers: (PollAnswer | undefined)[]): boolean =>
  due.some((_, index) => answers[index] === undefined || (answers[index]?.status === 'missing' && !provesAbsence(connector)))

async function inputsUnreadTransition(
  deps: AskDeps,
  due: Due,
  answer: Extract<PollAnswer, { status: 'inputs-unread' }>,
): Promise<Transition> {
  const successor = await planOnceReadable(deps, due)
  if (successor !== 'not-yet') inputsUnread.add(1, { provider: due.attempt.provider })
  return decideUnread(deps, due, answer, successor)
}

function countAnswers(
  { log, keepProgress }: AskDeps,
  { provider }: Connector,
  answered: { one: Due; answer: PollAnswer | undefined }[],
): void {
  for (const [status, own] of Map.groupBy(answered, ({ answer }) => answer?.status ?? 'none')) polls.add(own.length, { provider, status })
  for (const { answer } of answered) if (answer && isEnd(answer)) costsTold.add(1, { provider, told: toldOf(answer) })
  for (const { one, answer } of answered) {
    if (answer?.status === 'succeeded' && answer.extraOutputs !== undefined) {
      extraOutputs.add(answer.extraOutputs, { provider })
      log.warn({ provider, attempt: one.attempt.id, extra: answer.extraOutputs }, 'provider named more videos than ordered, first taken')
    }
    if (answer?.status !== 'running') continue
    keepProgress(one.attempt, answer.progress)
    if (answer.unknownWord === undefined) continue
    unknownWords.add(1, { provider })
    log.warn({ attempt: one.attempt.id, word: answer.unknownWord }, 'unknown provider status, treated as running', { provider: late })
  }
}

const isEnd = (answer: PollAnswer): answer is Ended =>
  answer.status === 'succeeded' || answer.status === 'failed' || answer.status === 'cancelled'
type Ended = Extract<PollAnswer, { status: 'succeeded' | 'failed' | 'cancelled' }>
const toldOf = ({ billed }: Ended) => (billed === undefined ? 'nothing' : 'microUsd' in billed ? 'money' : 'units')

async function lookUp(deps: AskDeps, due: Due, signal: AbortSignal): Promise<LookedUp> {
  const { attempt, connector } = due
  if (!connector.lookUp) return {}
  try {
    const found = await connector.lookUp(attempt.id, signal)
    if (found !== undefined) return { found: { providerTaskId: found, echoed: true } }
    if (connector.capabilities.lookUp === 'own-id-if-found') return {}
  } catch (error) {
    if (!signal.aborted) deps.log.warn({ err: error, provider: attempt.provider, attempt: attempt.id }, 'look-up got no usable answer')
    void deps.health.check(connector, signal)
    return {}
  }
  const miss = await recordMiss(deps, due, signal)
  return miss ? { miss } : {}
}
