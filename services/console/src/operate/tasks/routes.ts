import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { taskPath } from '../layout/menu'
import { readFilter, readTasks } from './list'
import { tasksPage } from './page'
import { releaseTask } from './release'
import { replayTask } from './replay'
import { readStory, type Story } from './story'
import { taskPage } from './task-page'

export const tasks = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get('/operate/tasks', async function getTasks({ operator, request, set }) {
      const filter = readFilter(request.url)
      return answerPage(set, tasksPage({ operator, url: request.url, filter, told: await readTasks(deps, operator, filter) }))
    })
    .get('/operate/tasks/:id', async function getTask({ operator, request, params: { id }, set }) {
      const [story, last] = await Promise.all([readStory(deps, operator, id), shownAct(deps.sql, request, operator)])
      return answerPage(set, taskPage({ operator, story, last, notice: noticeOf(last) }))
    })
    .post(
      '/operate/tasks/:id/replay',
      async function postReplay({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const accountId = accountOf(await readStory(deps, operator, id))
        return seeOther(set, actPath(taskPath(id), await replayTask(deps, operator, form, { taskId: id, accountId })))
      },
      { ...act('support'), parse: 'none' },
    )
    .post(
      '/operate/tasks/:id/release',
      async function postRelease({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const accountId = accountOf(await readStory(deps, operator, id))
        return seeOther(set, actPath(taskPath(id), await releaseTask(deps, operator, form, { taskId: id, accountId })))
      },
      { ...act('support'), parse: 'none' },
    )

export const accountOf = ({ gateway, ledger }: Pick<Story, 'gateway' | 'ledger'>): string | null =>
  gateway?.task.accountId ?? ledger?.reservation?.account_id ?? ledger?.declined?.account_id ?? null
