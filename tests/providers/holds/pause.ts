import { openAccount } from '../../support/client/account'
import { audit } from '../../support/operator/operator'
import { opsDone } from '../../support/operator/ops'
import { run } from '../../support/servers/databases'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { holdsOf, offered, reservationsOfAccounts } from './bad-hour'
import type { Pipeline } from './pipeline'
import { makeInstant, startTraffic, tally } from './traffic'

const pausedMs = 20_000
/** All dispatchers have read the pause by then, and sent what they had planned. */
const inForceMs = 3_000
const reason = 'its price list is wrong'

/** Under five orders a second fal is paused and resumed, once whole and once one model of it. */
export async function provePause(report: Report, { fal, requests }: Pipeline): Promise<void> {
  await makeInstant()
  const { api } = await openAccount()
  const [alone, either] = [String(requests.alone.model), String(requests.either.model)]
  const traffic = await startTraffic([requests.alone, requests.either])
  for (const model of [undefined, alone]) {
    const name = model ? 'one model' : 'all models'
    const scope = ['fal', ...(model ? ['--model', model] : []), '--reason', reason]
    await Bun.sleep(pausedMs / 2)
    await opsDone('provider', 'pause', ...scope)
    await Bun.sleep(inForceMs)
    const [submitsBefore, ordersBefore] = [fal.submits, traffic.orders.length]
    await Bun.sleep(pausedMs)
    const isOffered = [await offered(api, alone), await offered(api, either)]
    const submits = fal.submits - submitsBefore
    report.check(
      `${name}: paused, it gets ${model ? 'only orders of others' : 'no order'}`,
      model ? submits > 0 : submits === 0,
      `${submits} submits`,
    )
    report.check(`${name}: what it alone has is withdrawn, the rest is not`, isOffered.join() === 'false,true', isOffered.join())
    const paused = traffic.orders.slice(ordersBefore)
    report.figure(`holds.paused.${model ? 'model' : 'provider'}.answers`, JSON.stringify(tally(paused)))
    const lost = paused.filter(one => one.model === either && one.status !== 202)
    report.check(`${name}: orders with another route are taken`, lost.length === 0, JSON.stringify(tally(lost)))
    const [hold] = await holdsOf('fal')
    report.check(
      `${name}: the list says who paused it and why`,
      hold?.cause === 'paused' && hold.reason === reason && hold.by !== null,
      JSON.stringify(hold),
    )
    await opsDone('provider', 'resume', ...scope)
    await until('it to be offered again', () => offered(api, alone), 15_000).catch(() => {})
    report.check(`${name}: resumed, it is offered again`, await offered(api, alone), 'still withdrawn')
  }
  await Bun.sleep(pausedMs / 2)
  await traffic.stop()
  const taken = traffic.orders.filter(({ status }) => status === 202)
  await Promise.all(taken.map(({ account, taskId }) => account.api.taskOnce(taskId ?? '')))
  const reserved = await reservationsOfAccounts(traffic.accounts.map(({ accountId }) => accountId))
  report.figure('holds.paused.orders', traffic.orders.length)
  report.figure('holds.paused.reservations', JSON.stringify(reserved))
  report.check('every order that was taken is a video, paid once', (reserved.settled ?? 0) === taken.length, JSON.stringify(reserved))
  const open = (reserved.reserved ?? 0) + (reserved.review ?? 0) + (reserved.refund_pending ?? 0)
  report.check('nobody is charged for a refusal', open === 0, JSON.stringify(reserved))
  const rows = await run<{ started_by: string; reason: string; ended_by: string; end_reason: string }>(
    'dispatcher',
    `select started_by, reason, ended_by, end_reason from route_hold where provider = 'fal' and cause = 'paused'`,
  )
  const isAudited =
    rows.length === 2 && rows.every(row => row.started_by && row.ended_by && row.reason === reason && row.end_reason === reason)
  report.check('pauses are kept with who and why', isAudited, JSON.stringify(rows))
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}
