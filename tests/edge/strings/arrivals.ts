import { askOperator, operate } from '../../support/operator/operator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import type { Sent } from './send'
import type { Stage } from './stage'

type Key = { id: string; name: string }
type Change = {
  id: string
  account_id: string
  state: string
  reason: string
  operator: string
  credits: number
  kind: string
  balance: string
}

/** What was answered with 2xx is where it was asked to be: the account with its ledger, the key with its name, the grant booked, the task at its end. */
export async function proveArrivals(report: Report, { account }: Stage, taken: Sent[]): Promise<void> {
  const of = (route: RegExp) => taken.filter(sent => sent.method !== 'GET' && route.test(sent.route))
  const kinds: [RegExp, (sent: Sent) => Promise<boolean>][] = [
    [/operator\/accounts$/, sent => accountThere(JSON.parse(sent.text).account_id)],
    [/accounts\/:id\/keys$/, sent => keyThere(account.accountId, JSON.parse(sent.text).key_id, sentName(sent))],
    [/(grants|debits)$/, sent => changeBooked(JSON.parse(sent.text))],
    [/\/release$/, sent => released(sent)],
    [/video\/generations$/, async sent => (await account.api.taskOnce(JSON.parse(sent.text).id)).status === 'completed'],
  ]
  for (const [route, arrived] of kinds) {
    const sents = of(route)
    report.figure(`strings.taken ${route.source}`, sents.length)
    for (const sent of sents) {
      const words = `${sent.name}: ${sent.status} ${sent.text.slice(0, 300)}`
      const there = await arrived(sent).catch(error => String(error))
      report.check('what was acknowledged arrived', there === true, `${words} ${there}`)
    }
  }
}

const sentName = ({ body }: Sent): string => JSON.parse(body ?? '{}').name

const accountThere = (accountId: string) =>
  until('the account at the ledger', async () => (await askOperator('ledger', 'GET', `/accounts/${accountId}`)).status === 200)

async function keyThere(accountId: string, keyId: string, name: string): Promise<boolean> {
  const { data } = await operate<{ data: Key[] }>('gateway', 'GET', `/accounts/${accountId}/keys`)
  return data.find(({ id }) => id === keyId)?.name === name
}

/**
 * The task's end is told by the dispatcher, and declined by the ledger. Here there never was a request, so that the ledger hears an end that
 * contradicts its books, which an operator acknowledges.
 */
async function released({ name, url }: Sent): Promise<boolean> {
  const [, taskId = ''] = /\/tasks\/([^/]+)\/release$/.exec(new URL(url).pathname) ?? []
  if (name.startsWith('ledger')) return (await askOperator('ledger', 'GET', `/tasks/${taskId}`)).status === 200
  return until('the end of a task to be heard', async () => {
    const { status } = await askOperator('ledger', 'POST', `/tasks/${taskId}/acknowledge`, { reason: 'a task of the edge', by: 'edge' })
    return status === 200
  })
}

/** Asked for again under the same id it shows what became of it. */
const changeBooked = ({ id, account_id, kind, balance, reason, operator, credits }: Change) =>
  until('the change to be decided', async () => {
    const { status, text } = await askOperator('gateway', 'POST', `/accounts/${account_id}/${kind}s`, {
      id,
      balance,
      reason,
      credits,
      by: operator,
    })
    if (status !== 200) return undefined
    const known = JSON.parse(text) as Change
    return known.state === 'applied' && known.reason === reason && known.operator === operator
  })
