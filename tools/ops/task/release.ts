import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import { taskReplay } from './replay'

export type Release = { taskId: string; reason: string; by: string }

type GatewayView = { task: { accountId: string; model: string; admitBy: string } }
type LedgerView = { reservation: { state: string; account_id: string } | null; declined: object | null }
type DispatcherView = { attempts: { state: string }[] }

/**
 * Ends a task that stands still and that nothing can heal. What the services know of it decides how: a task without a reservation is declined
 * at the ledger, one without an attempt is refused at the dispatcher; what has ended somewhere is only replayed. Every one of these may be
 * repeated. Nothing is done while one of the three doesn't answer.
 */
export async function taskRelease(call: Call, release: Release): Promise<Json> {
  const { taskId, reason, by } = release
  const [gateway, ledger, dispatcher] = await Promise.all([
    view<GatewayView>(call, 'gateway', taskId),
    view<LedgerView>(call, 'ledger', taskId),
    view<DispatcherView>(call, 'dispatcher', taskId),
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
    return done('refused at the dispatcher: its credits are returned', publishedBy(await call('dispatcher', 'POST', path, body)))
  }
  if (!gateway) throw new OpsFault(`Neither the gateway nor the ledger knows ${taskId}: there is nothing to end.`)
  if (states.length > 0)
    throw new OpsFault(`The dispatcher has an attempt of ${taskId} and the ledger no reservation: \`bun run ops audit\` comes first.`)
  const { accountId, admitBy } = gateway.task
  const body = { account_id: accountId, admit_by: new Date(admitBy).toISOString(), reason, by }
  return done('declined at the ledger: nothing was reserved, and its key is free', publishedBy(await call('ledger', 'POST', path, body)))
}

const publishedBy = (answer: Json): Json => (answer as { published: string[] }).published

/** What a service knows of the task; undefined where it knows nothing. Throws where it doesn't answer. */
async function view<V>(call: Call, service: 'gateway' | 'ledger' | 'dispatcher', taskId: string): Promise<V | undefined> {
  try {
    return (await call(service, 'GET', `/tasks/${encodeURIComponent(taskId)}`)) as V
  } catch (error) {
    if (error instanceof OpsFault && error.status === 404) return undefined
    if (error instanceof OpsFault) throw new OpsFault(`Nothing was done. ${error.message}`, error.status)
    throw error
  }
}
