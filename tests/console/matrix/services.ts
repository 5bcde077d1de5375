import { openAccount } from '../../support/client/account'
import { createOperator, heardOf, keepOperators, type Role, roles, type Tried, tryOperatorRoutes } from '../../support/operator/by-role'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'

/** The operators' routes of the services, by the role of the token, and with what is no operator's token. Returns them as a table. */
export async function proveServices(report: Report): Promise<string> {
  const run = crypto.randomUUID()
  const tokens: Record<string, string> = { none: '', wrong: 'x'.repeat(43), console: settings.consoleToken }
  tokens['a key'] = (await openAccount()).apiKey
  for (const role of roles) tokens[role] = await createOperator(`${role}-${run}@example.com`, '--role', role)
  await heardOf(tokens.money ?? '')
  const tried = await tryOperatorRoutes(tokens).finally(() => keepOperators(({ name }) => !name.includes(run)))
  for (const { service, method, path, as, needed, status } of tried) {
    const expected = expectedOf(as, needed)
    report.check(`${service} ${method} ${path} as ${as}`, expected.test(String(status)), `${status} instead of ${expected}`)
  }
  const catalog = await fetch(`http://127.0.0.1:${settings.portBase + 2}/operator/routes`, {
    headers: { authorization: `Bearer ${settings.operatorToken}` },
  })
  report.check('the catalog has no operators’ routes', catalog.status === 404, String(catalog.status))
  report.figure('matrix.services', tried.length)
  return tableOf(tried, Object.keys(tokens))
}

function expectedOf(as: string, needed: Role): RegExp {
  const held = roles.indexOf(as as Role)
  if (held < 0) return /^401$/
  return held < roles.indexOf(needed) ? /^403$/ : /^(200|202|400|404|409)$/
}

function tableOf(tried: Tried[], visitors: string[]): string {
  const nameOf = ({ service, method, path }: Tried) => `${service} ${method} ${path}`
  const names = [...new Set(tried.map(nameOf))]
  const width = Math.max(...names.map(({ length }) => length)) + 2
  const statuses = new Map(tried.map(each => [`${nameOf(each)} ${each.as}`, String(each.status)]))
  const row = (name: string) => visitors.map(visitor => (statuses.get(`${name} ${visitor}`) ?? '–').padEnd(9)).join('')
  return [''.padEnd(width) + visitors.map(visitor => visitor.padEnd(9)).join(''), ...names.map(name => name.padEnd(width) + row(name))]
    .map(line => line.trimEnd())
    .join('\n')
}
