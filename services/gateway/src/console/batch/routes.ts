import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { takeCrossings } from '../../budgets/take-crossings'
import { readAlone } from '../../database/batched-read'
import type { ForwardDeps } from '../../webhooks/forward'
import { type AuthDeps, consoleAuth, databaseMsMax } from '../auth'
import { consoleTaskView } from '../task-view'
import { listBalancesOf, listTasksOf } from './batch-repository'

/** Both fit into a body of 64 KiB. */
const tasksMax = 200
const accountsMax = 500
const noticesMax = 200

const id = Type.String({ minLength: 1, maxLength: 64 })
const Tasks = Type.Object(
  { tasks: Type.Array(Type.Object({ account_id: id, task_id: id }, { additionalProperties: false }), { minItems: 1, maxItems: tasksMax }) },
  { additionalProperties: false },
)
const notice = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Taken = Type.Object({ taken: Type.Array(notice, { maxItems: noticesMax }) }, { additionalProperties: false })
const Accounts = Type.Object({ account_ids: Type.Array(id, { minItems: 1, maxItems: accountsMax }) }, { additionalProperties: false })

/** `webhooksOn`: false without the webhooks service. */
export type BatchDeps = AuthDeps & ForwardDeps & { webhooksOn: boolean }

/** What the console's workers ask for many accounts at once: each task beside the account it must be of. */
export const batchRoutes = (deps: BatchDeps) =>
  new Elysia({ normalize: false })
    .use(consoleAuth(deps))
    .post(
      '/tasks/states',
      async function postTaskStates({ request }) {
        const { tasks } = await readJsonAs(Tasks, request)
        const asked = tasks.map(({ account_id, task_id }) => ({ accountId: account_id, taskId: task_id }))
        const found = await readAlone(listTasksOf(deps.sql, asked), databaseMsMax)
        return { data: found.map(task => ({ ...consoleTaskView(task), account_id: task.accountId })) }
      },
      takes(Tasks),
    )
    .post(
      '/balances',
      async function postBalances({ request }) {
        const { account_ids } = await readJsonAs(Accounts, request)
        const found = await readAlone(listBalancesOf(deps.sql, account_ids), databaseMsMax)
        return {
          data: found.map(({ accountId, available, starter }) => ({
            account_id: accountId,
            available_credits: available,
            starter_credits: starter,
          })),
        }
      },
      takes(Accounts),
    )
    .post(
      '/budget-crossings',
      async function postBudgetCrossings({ request }) {
        const { taken } = await readJsonAs(Taken, request)
        return { data: await readAlone(takeCrossings(deps.sql, taken, noticesMax), databaseMsMax) }
      },
      takes(Taken),
    )
    .post(
      '/webhook-pauses',
      async function postWebhookPauses({ request }) {
        const body = await readJsonAs(Taken, request)
        if (!deps.webhooksOn) return { data: [] }
        return (await deps.callWebhooks({ method: 'POST', path: '/pauses', body })).body
      },
      takes(Taken),
    )
