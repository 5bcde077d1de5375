import { uuidv7 } from 'uuidv7'
import { settings } from '../../support/settings'
import type { WireAnswer } from '../people/wire'
import { type Cast, consoleVisitors, operateVisitors, type VisitorName } from './cast'
import { expectedStatus, type Target, targets } from './expected'
import type { Things } from './furnish'
import { neededRoles } from './needed-roles'

export type Route = { method: string; path: string }
export type Kind = 'page' | 'script'
export type Cell = { route: Route; visitor: VisitorName; target: Target; kind: Kind; answer: WireAnswer; asked: string; expected: RegExp }

export const nameOf = ({ method, path }: Route): string => `${method} ${path}`
export const acts = ({ method }: Route): boolean => method !== 'GET'
export const ofOperators = ({ path }: Route): boolean => /^\/operate(\/|$)/.test(path)
export const visitorsOf = (route: Route): readonly VisitorName[] => (ofOperators(route) ? operateVisitors : consoleVisitors)

/** The console's own list of its routes, as the app has them. */
export async function listRoutes(): Promise<Route[]> {
  const answer = await fetch(new URL('/development/routes', settings.consoleUrl), {
    headers: { authorization: `Bearer ${settings.consoleToken}` },
  })
  const routes = (await answer.json()) as Route[]
  // What is read comes first: nothing is gone then that others ask for.
  return routes.filter(({ path, method }) => path !== '/*' && method !== 'HEAD').sort((a, b) => Number(acts(a)) - Number(acts(b)))
}

/** One route as one visitor at everybody's ids; what is not to be read also as a script asks for it. */
export async function tryRoute(
  cast: Pick<Cast, 'wires' | 'own' | 'foreign'>,
  route: Route,
  visitor: VisitorName,
  at: readonly Target[] = targets,
): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const target of at.filter(target => isAsked(route, visitor, target)))
    for (const kind of target === 'own' ? (['page'] as const) : (['page', 'script'] as const))
      cells.push(await tryCell(cast, { route, visitor, target, kind }))
  return cells
}

async function tryCell(
  cast: Pick<Cast, 'wires' | 'own' | 'foreign'>,
  cell: Pick<Cell, 'route' | 'visitor' | 'target' | 'kind'>,
): Promise<Cell> {
  const { route, visitor, target, kind } = cell
  const things = thingsFor(cast, target)
  const { fields = {} } = neededRoles[nameOf(route)] ?? {}
  const [asked, sent] = [filled(route.path, things), new URLSearchParams(fields).toString()]
  const answer = await cast.wires[visitor].send(asked, {
    method: route.method,
    ...(kind === 'script' && { headers: { accept: 'application/json' } }),
    ...(acts(route) && { fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(value, things)])) }),
  })
  return { ...cell, answer, asked: `${asked} ${filled(decodeURIComponent(sent), things)}`, expected: expectedOf(route, visitor, target) }
}

/** Where nothing of an account is named there is one cell a visitor; what takes things away is left to the journey where it would be done. */
function isAsked(route: Route, visitor: VisitorName, target: Target): boolean {
  const { named, things } = namesOf(route)
  if ((target === 'crossed' && !(named && things && !ofOperators(route))) || (target !== 'own' && !named && !things)) return false
  return !(target === 'own' && neededRoles[nameOf(route)]?.ends && expectedOf(route, visitor, target).test('200'))
}

/** Whether an account is named, in the path or in a field, and whether something else is. */
function namesOf({ method, path }: Route) {
  const fields = Object.values(neededRoles[`${method} ${path}`]?.fields ?? {})
  return { named: path.includes('/:id') || fields.includes(':id'), things: /:(?!id\b|name\b|paper\b)/.test(path) }
}

function expectedOf(route: Route, visitor: VisitorName, target: Target): RegExp {
  const { needs = 'anyone', lacks } = neededRoles[nameOf(route)] ?? {}
  return expectedStatus({ needs, lacks, visitor, target, acts: acts(route), hasThings: namesOf(route).things })
}

function thingsFor({ own, foreign }: Pick<Cast, 'own' | 'foreign'>, target: Target): Things {
  if (target === 'own') return own.things
  if (target === 'foreign') return foreign.things
  if (target === 'crossed') return { ...foreign.things, id: own.accountId }
  const nobodys: Record<string, string> = { purchase: uuidv7(), token: 'A'.repeat(43) }
  return Object.fromEntries(Object.keys(own.things).map(name => [name, nobodys[name] ?? `no_${uuidv7()}`]))
}

/** Below these an id is a task's. */
const ofTasks = /(?<=^\/operate\/(tasks|reviews|audit\/contradictions)\/):id/

export const filled = (path: string, things: Things): string =>
  path.replace(ofTasks, ':task').replace(/(?<=^|\/):(\w+)/g, (_, name: string) => {
    const value = things[name]
    if (value === undefined) throw new Error(`${path}: the matrix has nothing for :${name}, see furnish.ts`)
    return value
  })
