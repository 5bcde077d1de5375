import { uuidv7 } from 'uuidv7'
import { hostileTexts } from './hostile-texts'
import type { Route } from './routes'
import { type Case, operatorHeaders } from './send'
import type { Stage } from './stage'
import { type Body, smallestBody, stringFields, withField } from './string-fields'

/** Each text in each string of the body of each operator's route. Every case has an id of its own where the route wants one. */
export const bodyCases = ({ routes, account, short }: Stage): Case[] =>
  routes.flatMap(route =>
    stringFields(route.body ?? {}).flatMap(field =>
      hostileTexts
        .filter(text => !short || text.short)
        .map(({ name, text }) => {
          const body = withField(smallestBody(route.body ?? {}, knownValues(account.accountId)), field, text)
          return {
            name: `${route.service} ${route.method} ${route.path}, ${field.name} is ${name}`,
            method: route.method,
            url: `${route.base}${filledPath(route, account.accountId)}`,
            headers: { ...operatorHeaders(), ...named(route, body) },
            body: JSON.stringify(body),
            route: `${route.method} ${route.path}`,
          }
        }),
    ),
  )

/** Every act wants a name, grants and debits an id as well: they stand in the body or in these headers. */
const named = ({ path }: Route, body: Body): Record<string, string> => ({
  ...(/\/(grants|debits)$/.test(path) && !('id' in body) && { 'idempotency-key': crypto.randomUUID() }),
  ...(!('by' in body) && { 'x-filmgate-operator': 'edge' }),
})

const knownValues = (accountId: string): Body => ({
  account_id: accountId,
  credits: 1,
  admit_by: '2026-01-01T00:00:00.000Z',
  since: '2026-01-01T00:00:00.000Z',
  dry_run: true,
  by: 'edge',
  reason: 'edge',
})

/** The path with an account that exists, and otherwise with ids that nobody has. */
export function filledPath({ path }: Pick<Route, 'path'>, accountId: string): string {
  return path.replaceAll(/:(\w+)/g, (_, name) =>
    path.includes('/accounts/:') && name === 'id' ? accountId : `vt_${uuidv7().replaceAll('-', '')}`,
  )
}
