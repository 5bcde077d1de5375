import { startKiller } from '../../support/killer'
import { seededRandom } from '../../support/random'
import { settings } from '../../support/settings'
import type { Component } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { stripeSettings } from '../stripe/settings'
import { storm } from './storm'
import { proveWitnesses } from './witnesses'

const deliveries = Number(process.env.FILMGATE_DELIVERIES || 10_000)
const seed = 17
/** They are killed until the last change is decided, so a busy machine takes longer: 208 s were seen where it was asked to do other things as well. */
const settledWithinMs = 600_000
const killed: Component[] = ['console', 'gateway', 'ledger']

/** What other people's programs say of our calls, and ten thousand deliveries while console, gateway and ledger are killed. */
export async function provePayments(report: Report): Promise<void> {
  for (const prove of [proveWitnesses, proveStorm])
    await prove(report).catch(error =>
      report.check(`${prove.name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
    )
}

async function proveStorm(report: Report): Promise<void> {
  let kills: Record<string, number> = {}
  async function whileKilling<T>(work: () => Promise<T>): Promise<T> {
    const killer = startKiller({
      next: turn => killed[turn % killed.length] ?? 'console',
      random: seededRandom(seed),
      pauseMs: { least: 3_000, most: 7_000 },
      downMs: { least: 0, most: 5_000 },
    })
    return work().finally(async () => {
      kills = await killer.stop()
    })
  }
  const { webhookSecret } = stripeSettings(settings.portBase)
  const webhookUrl = `http://127.0.0.1:${settings.portBase + 6}/webhooks/stripe`
  const { findings, figures } = await storm({
    ...{ webhookUrl, secret: webhookSecret, deliveries, seed, settledWithinMs },
    beside: whileKilling,
  })
  for (const { name, holds, words } of findings) report.check(name, holds, words)
  for (const [name, value] of Object.entries(figures)) report.figure(`payments.${name}`, value)
  for (const [name, times] of Object.entries(kills)) report.figure(`payments.kills.${name}`, times)
  report.check('credits were spent, and then owed', (figures['credits.spent'] ?? 0) > 0 && (figures['debits.owed'] ?? 0) > 0)
  report.check(
    'each of the three was killed',
    killed.every(name => (kills[name] ?? 0) > 0),
    JSON.stringify(kills),
  )
}
