import { uuidv7 } from 'uuidv7'
import { settings } from '../../support/settings'
import { filledPath } from './body-cases'
import { hostileHeaders } from './hostile-texts'
import { type ClientRoute, clientUrl } from './routes'
import type { Case } from './send'
import type { Stage } from './stage'
import { smallestBody } from './string-fields'

/** Headers that are kept, or read as more than one word. */
const headersRead = [
  'Authorization',
  'Idempotency-Key',
  'X-Filmgate-Operator',
  'traceparent',
  'tracestate',
  'Content-Type',
  'Accept',
  'Prefer',
  'If-None-Match',
  'X-Forwarded-For',
  'Accept-Encoding',
]

export function headerCases({ account, routes, short }: Stage, clients: ClientRoute[]): Case[] {
  const values = hostileHeaders.filter(text => !short || text.short)
  const changes = routes.filter(({ path }) => /\/(grants|debits)$/.test(path))
  const names = [
    ...new Set([
      ...headersRead,
      ...clients.flatMap(({ parameters }) => parameters.filter(each => each.in === 'header').map(each => each.name)),
    ]),
  ]
  const of = (route: string, method: string, url: string, base: Record<string, string>, body?: string) =>
    names.flatMap(header =>
      values.map(({ name, text }): Case => {
        const headers = Object.fromEntries(Object.entries(base).filter(([key]) => key !== header.toLowerCase()))
        return { name: `${route}, ${header} is ${name}`, method, url, headers: { ...headers, [header]: text }, body, raw: true, route }
      }),
    )
  const clientHeaders = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' }
  const operators = { authorization: `Bearer ${settings.operatorToken}`, 'content-type': 'application/json' }
  return [
    ...clients.flatMap(({ method, path, reads }) =>
      of(
        `${method} ${path}`,
        method,
        clientUrl(path.replace('{id}', `vt_${uuidv7()}`)),
        clientHeaders,
        reads ? '{"model":"nobody"}' : undefined,
      ),
    ),
    ...changes.flatMap(({ method, path, base, body }) =>
      of(
        `${method} ${path}`,
        method,
        `${base}${filledPath({ path }, account.accountId)}`,
        { ...operators, 'x-filmgate-operator': 'edge' },
        JSON.stringify(smallestBody(body ?? {}, { reason: 'edge', credits: 1 })),
      ),
    ),
  ]
}
