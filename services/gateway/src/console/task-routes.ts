import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type CancelDeps, cancelTask } from '../cancel/cancel-task'
import { readNothing } from '../cancel/routes'
import { readAlone } from '../database/batched-read'
import type { Reason } from '../errors'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf, searchedPage } from '../paging/page'
import { moment, oneOf, pageSize, readQuery, words } from '../paging/read-query'
import { tagParameter } from '../tags/tag-parameter'
import { holdTask, waitMs } from '../tasks/hold-task'
import { pollSeconds, shownStatus, type Task } from '../tasks/task'
import { taskIdForm } from '../tasks/task-id'
import { taskView } from '../tasks/task-view'
import { type AuthDeps, accountAuth } from './auth'
import {
  type ConsoleTask,
  findConsoleTask,
  findRequestFields,
  findSearchEnd,
  listConsoleTasks,
  listStoryEvents,
  listStoryRecords,
} from './task-repository'
import { consoleTaskView, storyEntries, storyEventViews, waitingOf } from './task-view'

const searchCharactersMax = 200
const nameCharactersMax = 64

export type TaskRouteDeps = AuthDeps & CancelDeps

/** The console sees how far a task is, too. */
const watchedView = (task: Task) => ({ ...taskView(task), phase: task.phase })

export const taskRoutes = (deps: TaskRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/tasks', async function getTasks({ request, account, leftMs }) {
      const query = readQuery(request.url, {
        status: oneOf(['processing', 'completed', 'failed']),
        surface: oneOf(['api', 'web']),
        tag: tagParameter,
        text: words(searchCharactersMax),
        model: words(nameCharactersMax),
        key_id: words(nameCharactersMax),
        from: moment,
        to: moment,
        cursor: cursor(([id]) => (id !== undefined && taskIdForm.test(id) ? id : undefined)),
        limit: pageSize(20, 100),
      })
      const { status, surface, tag, text, model, key_id: keyId, from, to, cursor: beforeId = null, limit } = query
      const search = { text, model, keyId }
      const filter = { accountId: account.id, status, surface, tag, from, to, search, beforeId, rowsMax: limit + 1, now: deps.now() }
      const rows = await readAlone(listConsoleTasks(deps.sql, filter), leftMs)
      const page = pageOf(rows, limit, consoleTaskView, task => writeCursor([task.id]))
      if (page.has_more) return page
      const searchedTo = await readAlone(findSearchEnd(deps.sql, filter), leftMs)
      return searchedTo === undefined ? page : searchedPage(page, writeCursor([searchedTo]))
    })
    .get('/accounts/:id/tasks/:task', async function getTask({ request, account, params, leftMs, set }) {
      const one = { accountId: account.id, taskId: params.task }
      let task = await findOne(deps, one, leftMs)
      const holdMs = waitMs(request.headers.get('prefer'))
      if (holdMs > 0 && shownStatus(task) === 'processing') {
        await holdTask(deps.watch, task, { holdMs, confirm: async () => {}, signal: request.signal, view: watchedView })
        task = await findOne(deps, one, leftMs)
        set.headers['preference-applied'] = `wait=${holdMs / 1_000}`
      }
      if (shownStatus(task) === 'processing') set.headers['retry-after'] = pollSeconds
      return consoleTaskView(task)
    })
    .post(
      '/accounts/:id/tasks/:task/cancel',
      async function postCancel({ request, account, params, leftMs, set }) {
        await readNothing(request)
        const found = await findOne(deps, { accountId: account.id, taskId: params.task }, leftMs)
        const task = await cancelTask(deps, { task: found, by: 'person', signal: request.signal })
        if (shownStatus(task) === 'processing') set.status = 202
        return taskView(task)
      },
      { parse: 'none' },
    )
    .get('/accounts/:id/tasks/:task/story', async function getStory({ account, params, leftMs }) {
      const one = { accountId: account.id, taskId: params.task }
      const [task, events, records, request] = await Promise.all([
        findOne(deps, one, leftMs),
        readAlone(listStoryEvents(deps.sql, one), leftMs),
        readAlone(listStoryRecords(deps.sql, one), leftMs),
        readAlone(findRequestFields(deps.sql, one), leftMs),
      ])
      return {
        task: consoleTaskView(task),
        request,
        waiting: waitingOf(task, events),
        events: storyEventViews(events),
        entries: records.flatMap(storyEntries),
      }
    })

async function findOne({ sql }: TaskRouteDeps, one: { accountId: string; taskId: string }, leftMs: number): Promise<ConsoleTask> {
  const task = await readAlone(findConsoleTask(sql, one), leftMs)
  if (!task) throw new Failure<Reason>('task_not_found')
  return task
}
