import { createBatch } from '@filmgate/kit/batch'
import type { Job } from '@filmgate/kit/jobs-repository'
import { deleteHeldJobs } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { counter } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import type { Connector, PollAnswer } from '../makers/connector'
import type { Routing } from '../routing/routing'
import type { DueAttempt } from './attempt'
import { findDueAttempts } from './attempt-repository'
import { type DecideDeps, decideHealing, decideMissing, decidePoll } from './decide'
import type { Move } from './move'
import type { WriteMove } from './write-moves'

export type FollowUpDeps = DecideDeps & { sql: Sql; routing: Routing; write: WriteMove; log: Log }

const polls = counter('maker_polls', 'Polls by what the maker said')
const unknownWords = counter('maker_unknown_words', 'Status words a maker used that we do not know; taken as still running')

type Polled = { attempt: DueAttempt; signal: AbortSignal }
type Poll = (polled: Polled) => Promise<PollAnswer>

/** Takes an attempt whose job is due one step further: looks it up or polls it, decides, writes. What is due together is asked together. */
export function createFollowUp(deps: FollowUpDeps): (job: Job, signal: AbortSignal) => Promise<void> {
  const find = createBatch(async (ids: string[]) => {
    const found = new Map((await findDueAttempts(deps.sql, ids)).map(attempt => [attempt.id, attempt]))
    return ids.map(id => found.get(id))
  })
  const pollers = new Map<Connector, Poll>()
  const pollerOf = (connector: Connector): Poll => {
    const known = pollers.get(connector)
    if (known) return known
    const poller = createPoller(connector)
    pollers.set(connector, poller)
    return poller
  }

  return async function followUp(job, signal) {
    const attempt = await find(job.id)
    const connector = attempt && deps.routing.connectorOf(attempt.maker)
    if (!attempt) {
      await deleteHeldJobs(deps.sql, [job])
      return
    }
    // Its maker is no longer configured: nobody else can be asked about it, so it waits for the configuration or an operator.
    if (!connector) throw new Error(`attempt ${attempt.id} belongs to maker ${attempt.maker}, which is not configured`)
    await deps.write(await step(deps, { attempt, job, connector, poll: pollerOf(connector), signal }))
  }
}

const createPoller = (connector: Connector): Poll =>
  createBatch(
    (polled: Polled[]) =>
      connector.poll(
        polled.map(({ attempt }) => ({ attemptId: attempt.id, makerTaskId: attempt.makerTaskId ?? '' })),
        AbortSignal.any(polled.map(one => one.signal)),
      ),
    { inFlightMax: 4, sizeMax: connector.pollSizeMax },
  )

type Step = { attempt: DueAttempt; job: Job; connector: Connector; poll: Poll; signal: AbortSignal }

async function step(deps: FollowUpDeps, { attempt, job, connector, poll, signal }: Step): Promise<Move> {
  if (attempt.state === 'sending' || attempt.state === 'unknown')
    return decideHealing(deps, { attempt, job, connector, ...(await lookUp(deps, connector, attempt, signal)) })
  const answer = await poll({ attempt, signal }).catch(error => {
    deps.log.warn({ err: error, attempt: attempt.id }, 'poll got no usable answer')
    return undefined
  })
  polls.add(1, { maker: attempt.maker, status: answer?.status ?? 'none' })
  if (answer?.status === 'running' && answer.unknownWord !== undefined) {
    unknownWords.add(1, { maker: attempt.maker })
    deps.log.warn({ attempt: attempt.id, word: answer.unknownWord }, 'unknown status word, taken as still running')
  }
  if (answer?.status !== 'missing') return decidePoll(deps, { attempt, job, connector, answer })
  return decideMissing(deps, { attempt, job, connector, ...(await lookUp(deps, connector, attempt, signal)) })
}

async function lookUp(
  { log }: FollowUpDeps,
  connector: Connector,
  attempt: DueAttempt,
  signal: AbortSignal,
): Promise<{ asked: boolean; found?: string }> {
  if (!connector.lookUp) return { asked: false }
  try {
    const found = await connector.lookUp(attempt.id, signal)
    return found === undefined ? { asked: true } : { asked: true, found }
  } catch (error) {
    log.warn({ err: error, attempt: attempt.id }, 'look-up got no usable answer')
    return { asked: false }
  }
}
