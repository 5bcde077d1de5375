import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { readAlone } from '../database/batched-read'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { oneOf, pageSize, readQuery } from '../paging/read-query'
import { tagParameter } from '../tags/tag-parameter'
import { listShownTasks } from './list-repository'
import { taskIdForm } from './task-id'
import { taskView } from './task-view'

/** GET /tasks: an account's tasks, newest first. */
export const listTasks = ({ sql, ...deps }: { sql: Sql } & AuthenticateDeps) =>
  new Elysia({ name: 'list-tasks', normalize: false })
    .use(authenticate(deps))
    .get('/tasks', async function getTasks({ request, caller, leftMs }) {
      const query = readQuery(request.url, {
        status: oneOf(['processing', 'completed', 'failed']),
        tag: tagParameter,
        cursor: cursor(([id]) => (id !== undefined && taskIdForm.test(id) ? id : undefined)),
        limit: pageSize(20, 100),
      })
      const filter = {
        accountId: caller.accountId,
        status: query.status,
        tag: query.tag,
        beforeId: query.cursor ?? null,
        rowsMax: query.limit + 1,
      }
      const rows = await readAlone(listShownTasks(sql, filter), leftMs)
      return pageOf(rows, query.limit, taskView, task => writeCursor([task.id]))
    })
