import { seededRandom } from '../../load/random'
import { settings } from '../../support/settings'
import { type Component, move } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { stripeSettings } from '../stripe/settings'
import { storm } from './storm'
import { proveWitnesses } from './witnesses'

const deliveries = Number(process.env.FILMGATE_DELIVERIES || 10_000)
const seed = 17
const settledWithinMs = 240_000
const killed: Component[] = ['console', 'gateway', 'ledger']
const pauseMs = { least: 3_000, most: 7_000 }

/** What other people's programs say of our calls, and ten thousand deliveries while console, gateway and ledger are killed. */
export async function provePayments(report: Report): Promise<void> {
  for (const prove of [proveWitnesses, proveStorm])
    await prove(report).catch(error =>
      report.check(`${prove.name} ran to its end`, false, error instanceof Error ? error.stack : String(error)),
    )
}

async function proveStorm(report: Report): Promise<void> {
  const killer = startKiller()
  const { webhookSecret } = stripeSettings(settings.portBase)
  const webhookUrl = `http://127.0.0.1:${settings.portBase + 6}/webhooks/stripe`
  const stormed = storm({ webhookUrl, secret: webhookSecret, deliveries, seed, settledWithinMs })
  const kills = await stormed.then(killer.stop, async error => {
    await killer.stop()
    throw error
  })
  const { findings, figures } = await stormed
  for (const { name, holds, words } of findings) report.check(name, holds, words)
  for (const [name, value] of Object.entries(figures)) report.figure(`payments.${name}`, value)
  for (const [name, times] of Object.entries(kills)) report.figure(`payments.kills.${name}`, times)
  report.check(
    'each of the three was killed',
    killed.every(name => (kills[name] ?? 0) > 0),
    JSON.stringify(kills),
  )
}

/** Kills one after another (SIGKILL), each back before the next, until told to stop. */
function startKiller(): { stop(): Promise<Record<string, number>> } {
  const random = seededRandom(seed)
  const kills: Record<string, number> = {}
  const ending = Promise.withResolvers<void>()
  let stopped = false
  async function killing(): Promise<void> {
    for (let turn = 0; !stopped; turn++) {
      const component = killed[turn % killed.length] ?? 'console'
      await Promise.race([Bun.sleep(random.between(pauseMs.least, pauseMs.most)), ending.promise])
      if (stopped) return
      await move(component, 'kill')
      await move(component, 'start')
      kills[component] = (kills[component] ?? 0) + 1
    }
  }
  const running = killing()
  return {
    async stop() {
      stopped = true
      ending.resolve()
      await running
      return kills
    },
  }
}
