import { Failure } from '@filmgate/kit/failure'
import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

type RouteListDeps = { signInLinks?: boolean; consoleToken: string }
type Route = { method: string; path: string }

/**
 * GET /development/routes lists all routes, so that tests can try each one. Only in development, and only for the
 * holder of the console's token.
 */
export const routeList = ({ signInLinks, consoleToken }: RouteListDeps, routes: () => readonly Route[]) =>
  signInLinks
    ? new Elysia({ name: 'route-list', normalize: false })
        .use(requireBearer([consoleToken], () => new Failure<Reason>('not_found')))
        .get('/development/routes', function getRoutes() {
          return routes().map(({ method, path }) => ({ method, path }))
        })
    : new Elysia({ name: 'route-list', normalize: false })
