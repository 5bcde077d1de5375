import { AttemptFact, type TaskFact } from '@filmgate/proto/operator/facts'
import type { Services } from '../../services/services'
import { type Comparison, type Difference, isSettled, type Period } from './comparison'
import { gatewayTasks } from './gateway-tasks'
import { listFacts } from './list-facts'

/** The gateway's tasks and the dispatcher's last attempts at them. */
export const tasksAndAttempts = (services: Services): Comparison<TaskFact, AttemptFact> => ({
  ...gatewayTasks(services),
  right: listFacts(services, 'dispatcher', { path: 'attempts', fact: AttemptFact }),
  differences: compareAttempt,
})

const phaseEnds: Record<string, string> = { completed: 'completed', failed: 'failed', refused: 'failed', declined: 'failed' }
const attemptEnds: Record<string, string> = { completed: 'completed', failed: 'failed', refused: 'failed' }

export function compareAttempt({ left: task, right: attempt }: { left?: TaskFact; right?: AttemptFact }, period: Period): Difference[] {
  const subject = task?.task_id ?? attempt?.task_id ?? ''
  const act = `ops task replay ${subject}`
  if (!task) {
    const detail = `the dispatcher has an attempt ${attempt?.state}, the gateway has no task of this id`
    return [{ check: 'attempt_unknown', subject, detail, act }]
  }
  if (!isSettled(task.changed_at, period)) return []
  if (!attempt) {
    // What is refused before a provider is asked may have no attempt.
    if (phaseEnds[task.phase] === 'failed') return []
    return [{ check: 'attempt_missing', subject, detail: `the gateway has it ${task.phase}, the dispatcher has no attempt at it`, act }]
  }
  if (!isSettled(attempt.changed_at, period) || phaseEnds[task.phase] === attemptEnds[attempt.state]) return []
  return [
    { check: 'outcome_differs', subject, detail: `the gateway has it ${task.phase}, the dispatcher's attempt is ${attempt.state}`, act },
  ]
}
