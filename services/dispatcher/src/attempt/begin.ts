import { leaseOwner } from '@filmgate/kit/jobs'
import { insertJobs } from '@filmgate/kit/jobs-repository'
import type { Outbox } from '@filmgate/kit/outbox'
import type { ReadyRoute, Routing } from '../routing/routing'
import type { NewAttempt } from './attempt-repository'
import { insertAttempts } from './attempt-repository'
import { outgoing, refused } from './events'
import { attemptJob } from './move'
import { admitByMs, type ReadyOrder } from './order'
import type { Sender } from './send'

export type BeginDeps = {
  outbox: Outbox
  topicPrefix: string
  routing: Routing
  sender: Sender
  now: () => Date
  newAttemptId: () => string
  leaseMs: number
}

/**
 * Makes an order's first attempt durable, then has its maker called without waiting for the answer. An order delivered before finds
 * its attempt and is left alone. At most as many are begun as can be sent at once: what is durable as `sending` counts as sent.
 */
export async function beginAttempts(deps: BeginDeps, orders: ReadyOrder[]): Promise<void> {
  for (let from = 0; from < orders.length; ) {
    const room = await deps.sender.room()
    await beginSome(deps, orders.slice(from, from + room))
    from += room
  }
}

type Planned = { ready: ReadyOrder; attempt: NewAttempt; routes: ReadyRoute[] }

async function beginSome(deps: BeginDeps, orders: ReadyOrder[]): Promise<void> {
  const planned = orders.map(ready => plan(deps, ready))
  const heldSinceMs = performance.now()
  const begun = await deps.outbox.transaction(async (sql, send) => {
    const fresh = await insertAttempts(
      sql,
      planned.map(one => one.attempt),
    )
    const begun = planned.filter(({ attempt }) => fresh.has(attempt.id))
    const sending = begun.filter(({ attempt }) => attempt.state === 'sending')
    const jobs = sending.map(({ attempt }) => ({ kind: attemptJob, id: attempt.id, fairnessKey: attempt.accountId }))
    if (jobs.length > 0) await insertJobs(sql, jobs, { owner: leaseOwner, leaseMs: deps.leaseMs })
    const turnedAway = begun.filter(({ attempt }) => attempt.state === 'refused')
    send(turnedAway.map(({ attempt }) => outgoing(deps.topicPrefix, attempt, refused(attempt, deps.now(), 'generation_unavailable'))))
    return sending
  })
  for (const { attempt, ready, routes } of begun) deps.sender.send({ attempt, ready, routes, heldSinceMs })
}

function plan(deps: BeginDeps, ready: ReadyOrder): Planned {
  const { order, traceparent } = ready
  const routes = deps.routing.routesOf(order.model)
  const late = deps.now().getTime() >= admitByMs(order)
  const first = routes[0]
  const whole = first && !late
  const attempt: NewAttempt = {
    id: deps.newAttemptId(),
    taskId: order.taskId,
    accountId: order.accountId,
    number: 1,
    maker: first?.connector.maker ?? '',
    makerModel: first?.makerModel ?? '',
    model: order.model,
    state: whole ? 'sending' : 'refused',
    traceparent: traceparent ?? null,
    absenceAfterMs: deps.leaseMs + (first?.connector.visibilityMs ?? 0),
    code: whole ? null : 'generation_unavailable',
    cause: whole ? null : late ? 'met after its admit_by' : 'no maker of its routes is configured',
  }
  return { ready, attempt, routes }
}
