import { type Account, createKey, openAccount } from '../../support/client/account'
import { ownWords } from '../../support/client/request'
import { audit } from '../../support/operator/operator'
import { deadLetters } from '../../support/servers/dead-letters'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { proveArrivals } from './arrivals'
import { bodyCases } from './body-cases'
import { clientCases } from './client-cases'
import { headerCases } from './header-cases'
import { pathCases } from './path-cases'
import { clientRoutes, clientUrl, type Route, routesOf } from './routes'
import { type Case, type Sent, send } from './send'
import type { Stage } from './stage'

/** Routes that are neither a client's nor an operator's: anyone's, and they keep nothing of what they are sent but their path. */
const open =
  /^\/((healthz|readyz|metrics|openapi\.json|hooks\/:provider\/:token|docs(\/\*)?|llms(-full)?\.txt|\.well-known\/(oauth-authorization-server|security\.txt)|\*)?)$/

/** Every string that enters by any route, as it may not be: refused by an ErrorResponse, or taken and then there. */
export async function proveStrings(report: Report, { short = false } = {}): Promise<void> {
  const account = await openAccount({ credits: 1_000_000_000 })
  const routes = (await Promise.all(Object.entries(settings.serviceUrls).map(([service, base]) => routesOf(service, base)))).flat()
  const clients = await clientRoutes()
  checkCoverage(
    report,
    routes,
    clients.map(({ path }) => path),
  )
  // An end that the dispatcher tells of a request that never was is a finding of the auditor, until it is acknowledged: not beside other tests.
  const alone = ({ service, path }: Route) => service === 'dispatcher' && path.endsWith('/release')
  const operators = routes.filter(route => route.path.startsWith('/operator/') && !(short && alone(route)))
  const stage: Stage = { account, routes: operators, short }
  const kinds = {
    bodies: bodyCases(stage),
    paths: pathCases(stage, clients),
    clients: await clientCases(stage, clients),
    headers: headerCases(stage, clients),
  }
  report.figure('strings.routes', operators.length + clients.length)
  const spread = await keySpreader(account)
  const taken: Sent[] = []
  for (const [kind, cases] of Object.entries(kinds)) {
    const startedAt = performance.now()
    for (const sent of await sendAll(cases.map(spread))) {
      judge(report, sent)
      if (sent.status >= 200 && sent.status < 300) taken.push(sent)
    }
    report.figure(`strings.${kind}`, cases.length)
    report.figure(`strings.${kind}.seconds`, (performance.now() - startedAt) / 1_000)
  }
  report.figure('strings.taken', taken.length)
  await proveArrivals(report, stage, taken)
  if (short) return
  await until('a task that comes after all others to end', async () => {
    const { body } = await account.api.generate({ model: 'alpha-h3-fast', prompt: ownWords(), duration: 1, resolution: '480p' })
    return body.id !== undefined && (await account.api.taskOnce(body.id)).status === 'completed'
  })
  const letters = await deadLetters()
  report.check('nothing that was taken became a dead letter', letters.length === 0, JSON.stringify(letters).slice(0, 1_000))
  const findings = await audit()
  report.check('the auditor finds nothing', findings.length === 0, JSON.stringify(findings).slice(0, 500))
}

function checkCoverage(report: Report, routes: Route[], clientPaths: string[]): void {
  const described = new Set(clientPaths.map(path => new URL(clientUrl(path)).pathname.replaceAll(/%7B(\w+)%7D/g, ':$1')))
  // The console's are tried with its token (tests/contract/console/any-route). Its question to media-probe has a signed address as its only right
  // (services/media-probe/src/verdicts/judge-upload.test.ts).
  // What the gateway asks of webhooks reaches it by the clients' routes and by the console's.
  const ofWebhooks = ['/accounts/:account/endpoints', '/accounts/:account/callbacks', '/pauses']
  const prefixesOfOthers = ['/operator/', '/console/', '/uploads/verdicts', ...ofWebhooks]
  const ofOthers = (path: string) => prefixesOfOthers.some(prefix => path.startsWith(prefix))
  const left = routes.filter(({ path }) => !ofOthers(path) && !described.has(path) && !open.test(path))
  report.check(
    'every route is a client’s, an operator’s, the console’s or one of the open ones',
    left.length === 0,
    left.map(({ path }) => path).join(),
  )
}

const keysMore = 4

/** Spreads the requests over further keys of the account: in the stack of the other tests each has 300 a minute, and the first is to look with. */
async function keySpreader({ accountId, apiKey }: Account): Promise<(one: Case) => Case> {
  const keys = await Promise.all(Array.from({ length: keysMore }, () => createKey(accountId)))
  let turn = 0
  return one => {
    if (one.headers.authorization !== `Bearer ${apiKey}`) return one
    const key = keys[turn++ % keys.length]
    return { ...one, headers: { ...one.headers, authorization: `Bearer ${key?.api_key}` } }
  }
}

const atOnce = 8

async function sendAll(cases: Case[]): Promise<Sent[]> {
  const sent: Sent[] = []
  const queue = cases.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of queue) sent.push(await send(one))
    }),
  )
  return sent
}

/** An answer that says what to change, or that it was done. The runtime's own, of lines that are too long, have no body and are documented. */
function judge(report: Report, { name, status, text, ms }: Sent): void {
  const words = `${name}: ${status} ${text.slice(0, 300)} after ${Math.round(ms)} ms`
  const ofRuntime = status === 0 || status === 431
  report.check('no answer is a fault of ours', status < 500, words)
  report.check('a refusal is an ErrorResponse', status < 400 || ofRuntime || isErrorResponse(text), words)
  report.check('an answer comes within 20 s', ms < 20_000, words)
}

function isErrorResponse(text: string): boolean {
  try {
    const { error } = JSON.parse(text)
    return typeof error.code === 'string' && typeof error.message === 'string' && error.message !== ''
  } catch {
    return false
  }
}
