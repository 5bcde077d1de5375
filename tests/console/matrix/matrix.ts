import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import type { WireAnswer } from '../people/wire'
import { type Cast, type Things, type VisitorName, visitors } from './cast'
import { expectedStatus, type Target, targets } from './expected'
import { neededRoles } from './needed-roles'

type Route = { method: string; path: string }
type Cell = { route: Route; visitor: VisitorName; target: Target; answer: WireAnswer; asked: string }

const folder = resolve(import.meta.dir, '../../../.local/reports/console')

/** Every route that the console itself lists, as everybody, at everybody's ids. */
export async function proveMatrix(report: Report, cast: Cast): Promise<void> {
  const routes = await listRoutes()
  const unruled = routes.filter(route => !neededRoles[nameOf(route)]).map(nameOf)
  report.check('every route has a row that says who may', unruled.length === 0, unruled.join(', '))
  const gone = Object.keys(neededRoles).filter(name => !routes.some(route => nameOf(route) === name))
  report.check('every row is of a route that there is', gone.length === 0, gone.join(', '))
  const cells: Cell[] = []
  // What reads comes first, and what is refused before what acts: so that nothing is gone that others ask for.
  const inOrder = routes.filter(route => neededRoles[nameOf(route)]).sort((a, b) => Number(acts(a)) - Number(acts(b)))
  for (const visitor of [...visitors].reverse())
    for (const target of targets) for (const route of inOrder) cells.push(...(await tryRoute(cast, route, visitor, target)))
  for (const cell of cells) judge(report, cast, cell)
  print(cells)
  report.figure('matrix.routes', routes.length)
  report.figure('matrix.cells', cells.length)
  await proveSameOrigin(report, cast, inOrder.filter(acts))
}

async function listRoutes(): Promise<Route[]> {
  const answer = await fetch(new URL('/development/routes', settings.consoleUrl), {
    headers: { authorization: `Bearer ${settings.consoleToken}` },
  })
  const routes = (await answer.json()) as Route[]
  return routes.filter(({ path, method }) => path !== '/*' && method !== 'HEAD')
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const acts = ({ method }: Route): boolean => method !== 'GET'

async function tryRoute(cast: Cast, route: Route, visitor: VisitorName, target: Target): Promise<Cell[]> {
  const row = neededRoles[nameOf(route)]
  const { inAccount, hasThings } = shapeOf(route)
  // Where nothing of an account is named there is one cell a visitor; what takes things away is left to the journey.
  if ((!hasThings && target === 'crossed') || (!hasThings && !inAccount && target !== 'own')) return []
  if (!row || (row.ends && target === 'own' && mayEnd(row.needs, visitor))) return []
  const path = filled(route.path, thingsFor(cast, target))
  const answer = await cast.wires[visitor].send(path, { method: route.method, ...(acts(route) && { fields: row.fields ?? {} }) })
  return [{ route, visitor, target, answer, asked: path }]
}

const mayEnd = (needs: string, visitor: VisitorName): boolean =>
  expectedStatus({ needs: needs as 'owner', visitor, target: 'own', hasThings: true, inAccount: needs !== 'anyone' }).test('200')

const shapeOf = ({ path }: Route) => {
  const inAccount = path.startsWith('/accounts/:id')
  return { inAccount, hasThings: /:(?!id\b|name\b)/.test(path) }
}

function thingsFor({ own, foreign }: Cast, target: Target): Things {
  if (target === 'own') return own.things
  if (target === 'foreign') return foreign.things
  if (target === 'crossed') return { ...foreign.things, id: own.accountId }
  return Object.fromEntries(Object.keys(own.things).map(name => [name, name === 'purchase' ? uuidv7() : `no_${uuidv7()}`]))
}

function filled(path: string, things: Things): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = things[name]
    if (value === undefined) throw new Error(`${path}: the matrix has nothing for :${name}, see cast.ts`)
    return value
  })
}

function judge(report: Report, cast: Cast, { route, visitor, target, answer, asked }: Cell): void {
  const name = `${visitor}, ${target}: ${nameOf(route)}`
  const { needs = 'anyone', lacks } = neededRoles[nameOf(route)] ?? {}
  const expected = expectedStatus({ needs, lacks, visitor, target, ...shapeOf(route) })
  report.check(`${name} is answered as it should be`, expected.test(String(answer.status)), `${answer.status} instead of ${expected}`)
  const seen = leaksIn(cast, visitor, answer, asked)
  report.check(`${name} tells nothing of others`, seen.length === 0, seen.join(', '))
}

/** What of accounts that the visitor doesn't belong to is in the answer; what the visitor has named in the path says nothing new. */
function leaksIn({ own, foreign, strangers }: Cast, visitor: VisitorName, { text, headers }: WireAnswer, asked: string): string[] {
  const others = { 'signed out': [own, foreign, strangers], stranger: [own, foreign] }[visitor as string] ?? [foreign, strangers]
  const whole = `${text}\n${[...headers].map(([name, value]) => (name === 'x-request-id' ? '' : value)).join('\n')}`
  const shown = decodeURIComponent(whole.replace(/%(?![0-9a-fA-F]{2})/g, '%25'))
  return others.flatMap(({ markers }) => markers).filter(marker => shown.includes(marker) && !asked.includes(marker))
}

/** What other machines post to. */
const provenByToken = new Set(['/webhooks/stripe', '/e-mails/stop'])

/** Each POST with the owner's cookies, but from another site or from nobody knows where. */
async function proveSameOrigin(report: Report, { wires, own }: Cast, routes: Route[]): Promise<void> {
  let refusals = 0
  for (const route of routes.filter(({ path }) => !provenByToken.has(path)))
    for (const origin of ['https://evil.example', 'null', `${settings.consoleUrl}.evil.example`, '']) {
      const headers = { origin, ...(origin === '' && { 'sec-fetch-site': 'cross-site' }) }
      const { status } = await wires.owner.send(filled(route.path, own.things), { method: route.method, fields: {}, headers })
      report.check(`${nameOf(route)} from “${origin}” is refused`, status === 403, String(status))
      refusals += 1
    }
  report.figure('matrix.otherSites', refusals)
}

/** A line a route; a column a visitor, in it the statuses at own, foreign, crossed and unknown ids. */
function print(cells: Cell[]): void {
  const names = [...new Set(cells.map(({ route }) => nameOf(route)))]
  const statusOf = (name: string, visitor: string, target: Target) =>
    String(cells.find(cell => nameOf(cell.route) === name && cell.visitor === visitor && cell.target === target)?.answer.status ?? '–')
  const width = Math.max(...names.map(({ length }) => length))
  const column = 17
  const lines = names.map(
    name =>
      name.padEnd(width + 2) +
      visitors
        .map(visitor =>
          targets
            .map(target => statusOf(name, visitor, target).padEnd(4))
            .join('')
            .padEnd(column),
        )
        .join(''),
  )
  const head = `${''.padEnd(width + 2)}${visitors.map(visitor => visitor.padEnd(column)).join('')}\n${''.padEnd(width + 2)}${visitors.map(() => 'own for. cro. unk.'.slice(0, column - 1).padEnd(column)).join('')}`
  const table = `${head}\n${lines.join('\n')}\n`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'matrix.txt'), table)
  console.log(table)
}
