import { settings } from '../../support/settings'
import { filledPath } from './body-cases'
import { hostileEncodings } from './hostile-texts'
import { type ClientRoute, clientUrl } from './routes'
import { type Case, operatorHeaders } from './send'
import type { Stage } from './stage'
import { smallestBody } from './string-fields'

/** Each encoding as each path parameter of each route, and as a parameter of each operator's query. */
export function pathCases({ account, routes, short }: Stage, clients: ClientRoute[]): Case[] {
  const texts = hostileEncodings.filter(text => !short || text.short)
  const operators = routes.flatMap(route => {
    const body = route.body ? JSON.stringify(smallestBody(route.body, { account_id: account.accountId })) : undefined
    const of = (name: string, path: string): Case => ({
      name: `${route.service} ${route.method} ${route.path}, ${name}`,
      method: route.method,
      url: `${route.base}${path}`,
      headers: { ...operatorHeaders(), 'x-filmgate-operator': 'edge' },
      body: route.method === 'GET' ? undefined : body,
      route: `${route.method} ${route.path}`,
    })
    const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    return texts.flatMap(({ name, text }) => [
      ...parameters.map(parameter =>
        of(`${parameter} is ${name}`, filledPath({ path: route.path.replace(`:${parameter}`, text) }, account.accountId)),
      ),
      of(`full is ${name}`, `${filledPath(route, 'nobody')}?full=${text}&${text}=1`),
    ])
  })
  const ofClients = clients.flatMap(route =>
    route.parameters
      .filter(parameter => parameter.in === 'path')
      .flatMap(parameter =>
        texts.map(({ name, text }) => ({
          name: `${route.method} ${route.path}, ${parameter.name} is ${name}`,
          method: route.method,
          url: clientUrl(route.path.replace(`{${parameter.name}}`, text)),
          headers: { authorization: `Bearer ${account.apiKey}` },
          route: `${route.method} ${route.path}`,
        })),
      ),
  )
  const hooks = texts.flatMap(({ name, text }) =>
    [`/hooks/${text}/aaaaaaaaaaaaaaaaaaaa`, `/hooks/simulator/${text}`].map((path, index) => ({
      name: `POST /hooks, ${index === 0 ? 'provider' : 'token'} is ${name}`,
      method: 'POST',
      url: new URL(settings.url).origin + path,
      headers: {},
      route: 'POST /hooks',
    })),
  )
  return [...operators, ...ofClients, ...hooks]
}
