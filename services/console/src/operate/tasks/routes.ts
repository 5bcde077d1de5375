import { needsRole } from '@filmgate/kit/operator/needs-role'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { taskPath } from '../layout/menu'
import { readFilter, readTasks } from './list'
import { tasksPage } from './page'
import { releaseTask } from './release'
import { replayTask } from './replay'
import { readTaskHistory, type TaskHistory } from './task-history'
import { taskPage } from './task-page'

export const tasks = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/tasks', async function getTasks({ operator, request, set }) {
      const filter = readFilter(request.url)
      return answerPage(set, tasksPage({ operator, url: request.url, filter, response: await readTasks(deps, operator, filter) }))
    })
    .get('/operate/tasks/:id', async function getTask({ operator, request, params: { id }, set }) {
      const [history, last] = await Promise.all([readTaskHistory(deps, operator, id), findShownAction(deps.sql, request, operator)])
      return answerPage(set, taskPage({ operator, history, last, notice: actionNotice(last) }))
    })
    .post(
      '/operate/tasks/:id/replay',
      async function postReplay({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const accountId = accountOf(await readTaskHistory(deps, operator, id))
        return seeOther(set, actionPath(taskPath(id), await replayTask(deps, operator, form, { taskId: id, accountId })))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      '/operate/tasks/:id/release',
      async function postRelease({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const accountId = accountOf(await readTaskHistory(deps, operator, id))
        return seeOther(set, actionPath(taskPath(id), await releaseTask(deps, operator, form, { taskId: id, accountId })))
      },
      { ...needsRole('support'), parse: 'none' },
    )

export const accountOf = ({ gateway, ledger }: Pick<TaskHistory, 'gateway' | 'ledger'>): string | null =>
  gateway?.task.accountId ?? ledger?.reservation?.account_id ?? ledger?.declined?.account_id ?? null
