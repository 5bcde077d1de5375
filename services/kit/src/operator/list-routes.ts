import { Elysia } from 'elysia'
import { operatorDoor } from './operator-door'

// biome-ignore lint/suspicious/noExplicitAny: Elysia's type grows with every route; only their list matters here.
type App = Elysia<any, any, any, any, any, any, any>

/** GET /operator/routes: every route of the service, and of those that read a body by a schema (`takes`) the schema. */
export const listRoutes = (app: () => App, operatorToken: string) =>
  new Elysia({ name: 'list-routes', prefix: '/operator' }).use(operatorDoor(operatorToken)).get('/routes', function getRoutes() {
    return {
      data: app().routes.map(({ method, path, hooks }) => ({
        method,
        path,
        body: hooks.detail?.requestBody?.content['application/json'].schema ?? null,
      })),
    }
  })
