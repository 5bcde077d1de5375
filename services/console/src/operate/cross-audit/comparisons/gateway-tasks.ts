import { TaskFact } from '@filmgate/proto/operator/facts'
import { taskIdAt } from '@filmgate/proto/task-id'
import type { Services } from '../../services/services'
import type { Comparison } from './comparison'
import { listFacts } from './list-facts'

/** The gateway's tasks of the period, as the left list beside rows of another service about tasks. */
export const gatewayTasks = (services: Services): Pick<Comparison<TaskFact, Pick<TaskFact, 'task_id'>>, 'left' | 'idOf' | 'rangesOf'> => ({
  left: listFacts(services, 'gateway', { path: 'tasks', fact: TaskFact }),
  idOf: ({ task_id }) => task_id,
  rangesOf: ({ since, until }) => [{ after: taskIdAt(since), through: taskIdAt(until) }],
})
