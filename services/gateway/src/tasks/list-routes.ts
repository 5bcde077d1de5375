import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { readAlone } from '../database/batched-read'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { oneOf, type ParameterReader, pageSize, readQuery } from '../paging/read-query'
import { tagParameter } from '../tags/tag-parameter'
import { listShownTasks } from './list-repository'
import { idempotencyKeyForm } from './task'
import { taskIdForm } from './task-id'
import { taskView } from './task-view'

/** As the header of a generation has it. */
const idempotencyKey: ParameterReader<string | null> = raw => {
  if (raw !== null && !idempotencyKeyForm.test(raw)) throw new Error('must have 1 to 160 letters, digits and . _ : -')
  return raw
}

/** GET /tasks: an account's tasks, newest first; with `idempotency_key`, the one that this key of the API has bound to it. */
export const listTasks = ({ sql, ...deps }: { sql: Sql } & AuthenticateDeps) =>
  new Elysia({ name: 'list-tasks', normalize: false })
    .use(authenticate(deps))
    .get('/tasks', async function getTasks({ request, caller, leftMs }) {
      const query = readQuery(request.url, {
        status: oneOf(['processing', 'completed', 'failed']),
        tag: tagParameter,
        idempotency_key: idempotencyKey,
        cursor: cursor(([id]) => (id !== undefined && taskIdForm.test(id) ? id : undefined)),
        limit: pageSize(20, 100),
      })
      const filter = {
        accountId: caller.accountId,
        status: query.status,
        tag: query.tag,
        bound: query.idempotency_key === null ? null : { keyId: caller.keyId, idempotencyKey: query.idempotency_key },
        beforeId: query.cursor ?? null,
        rowsMax: query.limit + 1,
      }
      const rows = await readAlone(listShownTasks(sql, filter), leftMs)
      return pageOf(rows, query.limit, taskView, task => writeCursor([task.id]))
    })
