import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { type Cast, consoleVisitors, operateVisitors, type VisitorName } from './cast'
import { acts, type Cell, filled, listRoutes, nameOf, ofOperators, type Route, tryRoute, visitorsOf } from './cells'
import type { Side } from './furnish'
import { judge } from './judge'
import { apart, keptOf } from './kept'
import { neededRoles } from './needed-roles'

/** Every route that the console itself lists, as everybody, at everybody's ids. */
export async function proveMatrix(report: Report, cast: Cast): Promise<Cell[]> {
  const routes = await listRoutes()
  const unruled = routes.filter(route => !neededRoles[nameOf(route)]).map(nameOf)
  report.check('every route has a row that says who may', unruled.length === 0, unruled.join(', '))
  const gone = Object.keys(neededRoles).filter(name => !routes.some(route => nameOf(route) === name))
  report.check('every row is of a route that there is', gone.length === 0, gone.join(', '))
  const ruled = routes.filter(route => neededRoles[nameOf(route)])
  const cells: Cell[] = []
  const tryAs = async (visitor: VisitorName) => {
    for (const route of ruled.filter(route => visitorsOf(route).includes(visitor))) cells.push(...(await tryRoute(cast, route, visitor)))
  }
  await unchanged(report, 'the other account', cast.foreign, async () => {
    await unchanged(report, 'the account, by all but its owner,', cast.own, async () => {
      for (const visitor of visitors.filter(visitor => visitor !== 'owner')) await tryAs(visitor)
    })
    await unchanged(report, 'the account, by its owner’s reading,', cast.own, async () => {
      for (const route of ruled.filter(route => !acts(route) && !ofOperators(route)))
        await cast.wires.owner.get(filled(route.path, cast.own.things))
    })
    await tryAs('owner')
  })
  await unchanged(report, 'the account, by other sites,', cast.own, () => proveSameOrigin(report, cast, ruled.filter(acts)))
  judge(report, cast, cells)
  report.figure('matrix.routes', routes.length)
  report.figure('matrix.cells', cells.length)
  return cells
}

const visitors = [...new Set<VisitorName>([...consoleVisitors, ...operateVisitors])].reverse()

async function unchanged(report: Report, whose: string, side: Side, work: () => Promise<void>): Promise<void> {
  const before = await keptOf(side)
  await work()
  const after = await keptOf(side)
  report.check(`${whose} is as it was`, before === after, apart(before, after))
}

type Sender = Record<string, string>

/** How a request looks that another site's page sends with the person's cookies. */
const otherSites: Sender[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: '', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]

const ownOrigins = (): Sender[] => [
  { origin: `${settings.consoleUrl}.evil.example` },
  { origin: settings.consoleUrl.replace('http:', 'https:') },
  { origin: settings.consoleUrl.replace(/:\d+$/, ':1') },
]

/** What machines post to: no cookie counts there, whatever page sends it. */
const ofMachines = ['/webhooks/stripe', '/e-mails/stop', '/oauth/device/code', '/oauth/token']
const isProvenByToken = (path: string) => ofMachines.includes(path) || path.startsWith('/operator/')

/** Each route that changes something, with the cookies of whoever may, but from another site or from nobody knows where. */
async function proveSameOrigin(report: Report, { wires, own }: Cast, routes: Route[]): Promise<void> {
  let refusals = 0
  for (const route of routes.filter(({ path }) => !isProvenByToken(path)))
    for (const headers of [...otherSites, ...ownOrigins()]) {
      const wire = ofOperators(route) ? wires.money : wires.owner
      const { fields = {} } = neededRoles[nameOf(route)] ?? {}
      const { status, headers: answered } = await wire.send(filled(route.path, own.things), { method: route.method, fields, headers })
      const held = status === 403 && answered.getSetCookie().length === 0
      report.check(`${nameOf(route)} from ${JSON.stringify(headers)} is refused`, held, String(status))
      refusals += 1
    }
  report.figure('matrix.otherSites', refusals)
}
