import type { OperatorRow } from '@filmgate/proto/operator/operator'
import { Elysia } from 'elysia'
import type { Role } from '../environment/operator-environment'
import { invariant } from '../failure'
import { holderOf } from './holder'
import { operatorAuth } from './operator-auth'
import type { Operator, Operators } from './operators'

// biome-ignore lint/suspicious/noExplicitAny: Elysia's type grows with every route; only their list matters here.
type App = Elysia<any, any, any, any, any, any, any>
type Route = App['routes'][number]

/**
 * What a service tells an operator of itself: GET /operator/routes, every route with the schema of the body where it reads one (`takes`) and,
 * of the operators' own, the role that it needs; GET /operator/me, whose token this is; GET /operator/operators, whose there are. `app` has all its routes by then: one of operators
 * that does something and names no role is a programmer's mistake.
 */
export function listRoutes(app: App, operators: Operators) {
  for (const route of app.routes)
    invariant(!isOperators(route) || roleOf(route) !== null, `${route.method} ${route.path} names no role: declare it by needsRole()`)
  return new Elysia({ name: 'list-routes', prefix: '/operator' })
    .use(operatorAuth(operators))
    .get('/routes', function getRoutes() {
      return {
        data: app.routes.map(route => ({
          method: route.method,
          path: route.path,
          role: isOperators(route) ? roleOf(route) : null,
          body: route.hooks.detail?.requestBody?.content['application/json'].schema ?? null,
        })),
      }
    })
    .get('/me', function getMe({ request }) {
      const holder = holderOf(request)
      return holder && operatorView(holder)
    })
    .get('/operators', function getOperators() {
      return { data: operators.list().map(operatorView) }
    })
}

const operatorView = ({ name, role, actsForOthers }: Operator): OperatorRow => ({
  name: name ?? null,
  role,
  acts_for_others: actsForOthers,
})

const isOperators = ({ path }: Route): boolean => path.startsWith('/operator/')

/** Whoever has a token may read. */
const roleOf = ({ method, hooks }: Route): Role | null => hooks.detail?.['x-operator-role'] ?? (method === 'GET' ? 'read' : null)
