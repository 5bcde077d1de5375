import { Elysia } from 'elysia'
import type { Log } from '../telemetry/log'
import { holderOf } from './holder'
import { operatorHeader } from './operator-name'

/**
 * One line for each thing that an operator does, with who: `operator` as the request names them, `token` whose token it carries (null: the
 * shared one). What is only read is not logged, but what a token may not is.
 */
export const logOperatorCalls = (log: Pick<Log, 'info'>) =>
  new Elysia({ name: 'log-operator-calls' }).onAfterResponse({ as: 'global' }, function logAct({ request, set }) {
    const path = new URL(request.url).pathname
    if (!path.startsWith('/operator/') || (request.method === 'GET' && set.status !== 403)) return
    const holder = holderOf(request)
    const operator = request.headers.get(operatorHeader)?.slice(0, 600) ?? holder?.name ?? null
    const token = holder?.name ?? null
    log.info({ operator, token, role: holder?.role ?? null, method: request.method, path, status: set.status ?? 200 }, 'operator')
  })
