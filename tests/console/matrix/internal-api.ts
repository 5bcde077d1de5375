import { askConsole, internalRoutes } from '../../support/client/console'
import type { Report } from '../../support/suite/report'
import type { Cast } from './cast'
import type { Side } from './furnish'

/** Of these the list must have some; a list that came short would prove nothing. */
const knownRoutes = ['GET /accounts/:id', 'GET /accounts/:id/tasks/:task', 'POST /tasks/states', 'POST /balances', 'GET /models']

/** With the ids of somebody; what is not theirs to name, such as the id of a grant, is new. */
const filled = (path: string, { accountId, things }: Pick<Side, 'accountId' | 'things'>): string =>
  path.replace(':id', accountId).replaceAll(/:(\w+)/g, (_, name: string) => things[name] ?? 'one')

/** What a route wants before it looks for what its path names. */
function bodyOf(method: string, path: string): object | undefined {
  if (path.endsWith('/replay')) return { delivery_id: 'one' }
  return method === 'PATCH' ? {} : undefined
}

/** The internal API takes the console's own token alone, and one account's path reaches nothing of another. */
export async function proveInternalApi(report: Report, { own, foreign }: Cast): Promise<void> {
  const routes = await internalRoutes()
  const missing = knownRoutes.filter(known => !routes.some(({ method, path }) => `${method} ${path}` === known))
  report.check('the gateway lists the routes of its internal API', missing.length === 0, missing.join(', '))
  for (const token of ['', 'wrong', 'x'.repeat(43)])
    for (const { method, path } of routes.map(route => ({ ...route, path: filled(route.path, own) }))) {
      const { status, text } = await askConsole(method, path, { token })
      report.check(`${method} ${path} with the token “${token}” is refused`, status === 401, String(status))
      report.check(`${method} ${path} tells nothing without the token`, !own.markers.some(marker => text.includes(marker)), text)
    }
  const crossed = routes
    .filter(({ path }) => path.startsWith('/accounts/:id/') && /:(task|key|endpoint)\b/.test(path))
    .map(({ method, path }) => [method, filled(path, { accountId: own.accountId, things: foreign.things })] as const)
  report.check('things of another account are asked for', crossed.length >= 4, String(crossed.length))
  for (const [method, path] of crossed) {
    const { status, text } = await askConsole(method, path, { body: bodyOf(method, path) })
    report.check(`${method} ${path}, a thing of another account, is not found`, status === 404, `${status} ${text}`)
    report.check(`${method} ${path} tells nothing of it`, !foreign.markers.some(each => !path.includes(each) && text.includes(each)), text)
  }
  const still = await askConsole('GET', `/accounts/${foreign.accountId}/keys`)
  report.check('the other account’s key works on', still.text.includes('"revoked_at":null'), still.text)
  report.figure('matrix.internalApi', routes.length)
}
