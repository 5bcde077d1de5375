import { DispatcherTask } from '@filmgate/proto/operator/attempt'
import { LedgerTask } from '@filmgate/proto/operator/books'
import { GatewayTask, PublishedEvents } from '@filmgate/proto/operator/task'
import type { Static, TSchema } from '@sinclair/typebox'
import { OpsFault } from '../fault'
import { type Call, callFor, type Json } from '../operator-api'
import { taskReplay } from './task'

export type Release = { taskId: string; reason: string; by: string }

/**
 * Ends a task that stands still and that nothing can heal. What the services know of it decides how: a task without a reservation is declined
 * at the ledger, one without an attempt is refused at the dispatcher; what has ended somewhere is only replayed. Every one of these may be
 * repeated. Nothing is done while one of the three doesn't answer.
 */
export async function taskRelease(call: Call, release: Release): Promise<Json> {
  const { taskId, reason, by } = release
  const [gateway, ledger, dispatcher] = await Promise.all([
    view(call, GatewayTask, 'gateway', taskId),
    view(call, LedgerTask, 'ledger', taskId),
    view(call, DispatcherTask, 'dispatcher', taskId),
  ])
  const done = (what: string, published: Json) => ({ task_id: taskId, done: what, reason, by, published })
  const path = `/tasks/${encodeURIComponent(taskId)}/release`
  const reservation = ledger?.reservation
  const states = dispatcher?.attempts.map(({ state }) => state) ?? []

  if (ledger?.declined || (reservation && ['settled', 'refunded', 'refund_pending'].includes(reservation.state)))
    return done(
      `nothing: the ledger has decided (${reservation?.state ?? 'declined'}), and its events are published again`,
      await taskReplay(call, { taskId }),
    )
  if (reservation && states.at(-1) === 'completed')
    return done('nothing: the video was made, and its events are published again', await taskReplay(call, { taskId }))
  if (reservation) {
    const body = { account_id: reservation.account_id, model: gateway?.task.model ?? '', reason, by }
    return done(
      'refused at the dispatcher: its credits are returned',
      (await callFor(call, PublishedEvents, 'dispatcher', 'POST', path, body)).published,
    )
  }
  if (!gateway) throw new OpsFault(`Neither the gateway nor the ledger knows ${taskId}: there is nothing to end.`)
  if (states.length > 0)
    throw new OpsFault(`The dispatcher has an attempt of ${taskId} and the ledger no reservation: \`bun run ops audit\` comes first.`)
  const { accountId, admitBy } = gateway.task
  const body = { account_id: accountId, admit_by: new Date(admitBy).toISOString(), reason, by }
  return done(
    'declined at the ledger: nothing was reserved, and its key is free',
    (await callFor(call, PublishedEvents, 'ledger', 'POST', path, body)).published,
  )
}

/** What a service knows of the task; undefined where it knows nothing. Throws where it doesn't answer. */
async function view<S extends TSchema>(
  call: Call,
  answer: S,
  service: 'gateway' | 'ledger' | 'dispatcher',
  taskId: string,
): Promise<Static<S> | undefined> {
  try {
    return await callFor(call, answer, service, 'GET', `/tasks/${encodeURIComponent(taskId)}`)
  } catch (error) {
    if (error instanceof OpsFault && error.status === 404) return undefined
    if (error instanceof OpsFault) throw new OpsFault(`Nothing was done. ${error.message}`, error.status)
    throw error
  }
}
