import { Elysia } from 'elysia'
import type { Log } from '../telemetry/log'
import { operatorHeader } from './operator-name'

/** One line for each thing that an operator does, with who; what is only read is not logged. */
export const logActs = (log: Pick<Log, 'info'>) =>
  new Elysia({ name: 'log-acts' }).onAfterResponse({ as: 'global' }, function logAct({ request, set }) {
    const path = new URL(request.url).pathname
    if (request.method === 'GET' || !path.startsWith('/operator/')) return
    const operator = request.headers.get(operatorHeader)?.slice(0, 600) ?? null
    log.info({ operator, method: request.method, path, status: set.status ?? 200 }, 'operator')
  })
