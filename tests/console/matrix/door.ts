import { askConsole } from '../../support/client/console'
import type { Report } from '../../support/suite/report'
import type { Cast } from './cast'
import type { Side } from './furnish'

/** Each path of the gateway's door for the console, with the method that reads or does it. */
const doorOf = ({ accountId, things }: Side): [string, string][] => [
  ['PUT', `/accounts/${accountId}`],
  ['GET', `/accounts/${accountId}`],
  ['DELETE', `/accounts/${accountId}`],
  ['POST', `/accounts/${accountId}/starter-credits`],
  ['GET', `/accounts/${accountId}/keys`],
  ['POST', `/accounts/${accountId}/keys`],
  ['POST', `/accounts/${accountId}/keys/${things.key}/rotate`],
  ['DELETE', `/accounts/${accountId}/keys/${things.key}`],
  ['POST', `/accounts/${accountId}/estimate`],
  ['POST', `/accounts/${accountId}/generations`],
  ['GET', `/accounts/${accountId}/tasks`],
  ['GET', `/accounts/${accountId}/tasks/${things.task}`],
  ['GET', `/accounts/${accountId}/tasks/${things.task}/story`],
  ['GET', `/accounts/${accountId}/usage`],
  ['GET', `/accounts/${accountId}/usage/summary`],
  ['GET', `/accounts/${accountId}/credit-changes`],
  ['PUT', `/accounts/${accountId}/grants/one`],
  ['PUT', `/accounts/${accountId}/debits/one`],
  ['GET', '/models'],
]

/** The door opens to the console's own token alone, and one account's path reaches nothing of another. */
export async function proveDoor(report: Report, { own, foreign }: Cast): Promise<void> {
  for (const token of ['', 'wrong', 'x'.repeat(43)])
    for (const [method, path] of doorOf(own)) {
      const { status, text } = await askConsole(method, path, { token })
      report.check(`${method} ${path} with the token “${token}” is refused`, status === 401, String(status))
      report.check(`${method} ${path} tells nothing without the token`, !own.markers.some(marker => text.includes(marker)), text)
    }
  const crossed = doorOf({ accountId: own.accountId, things: foreign.things, markers: [] }).filter(
    ([, path]) => path.includes('/tasks/') || path.includes('/keys/'),
  )
  for (const [method, path] of crossed) {
    const { status, text } = await askConsole(method, path, {})
    report.check(`${method} ${path}, a thing of another account, is not found`, status === 404, `${status} ${text}`)
    report.check(`${method} ${path} tells nothing of it`, !foreign.markers.some(each => !path.includes(each) && text.includes(each)), text)
  }
  const still = await askConsole('GET', `/accounts/${foreign.accountId}/keys`)
  report.check('the other account’s key works on', still.text.includes('"revoked_at":null'), still.text)
  report.figure('matrix.door', doorOf(own).length)
}
