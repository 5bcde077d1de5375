import { ReservationFact, type TaskFact } from '@filmgate/proto/operator/facts'
import type { Services } from '../../services/services'
import { type Comparison, type Difference, isSettled, type Period } from './comparison'
import { gatewayTasks } from './gateway-tasks'
import { listFacts } from './list-facts'

/** The gateway's tasks and the ledger's reservations of the period. */
export const tasksAndReservations = (services: Services): Comparison<TaskFact, ReservationFact> => ({
  ...gatewayTasks(services),
  right: listFacts(services, 'ledger', { path: 'reservations', fact: ReservationFact }),
  differences: compareTask,
})

export function compareTask(
  { left: task, right: reservation }: { left?: TaskFact; right?: ReservationFact },
  period: Period,
): Difference[] {
  const subject = task?.task_id ?? reservation?.task_id ?? ''
  const replay = `ops task replay ${subject}`
  if (!task) {
    const detail = `the ledger has it ${ledgerText(reservation)}, the gateway has no task of this id`
    return reservation ? [{ check: 'task_missing', subject, detail, act: replay }] : []
  }
  if (!reservation) {
    // A refusal before the reservation has none.
    if (task.phase === 'declined' || !isSettled(task.changed_at, period)) return []
    const detail = `the gateway has it ${gatewayText(task)}, the ledger has no reservation of it`
    const isEnded = task.billing_status === 'settled' || task.billing_status === 'refunded'
    const act = isEnded ? `ops task show ${subject}: its charge and its refund are gone from the books; a person decides` : replay
    return [{ check: 'reservation_missing', subject, detail, act }]
  }
  if (!isSettled(task.changed_at, period) || !isSettled(reservation.changed_at, period)) return []
  if (task.account_id !== reservation.account_id) {
    const detail = `the gateway has it of ${task.account_id}, the ledger of ${reservation.account_id}`
    return [{ check: 'task_account_differs', subject, detail, act: `ops task show ${subject}: no code leaves such rows; a person decides` }]
  }
  const isAlike =
    task.billing_status === reservation.state && task.credits_used === reservation.credits && task.credits_refunded === reservation.refunded
  if (isAlike) return []
  const detail = `the gateway has it ${gatewayText(task)}, the ledger ${ledgerText(reservation)}`
  return [{ check: 'task_credits_differ', subject, detail, act: replay }]
}

const gatewayText = ({ billing_status, phase, credits_used, credits_refunded }: TaskFact): string =>
  `${billing_status ?? phase} with ${credits_used} credits, ${credits_refunded} refunded`

const ledgerText = (reservation: ReservationFact | undefined): string =>
  reservation ? `${reservation.state} with ${reservation.credits} credits, ${reservation.refunded} refunded` : ''
