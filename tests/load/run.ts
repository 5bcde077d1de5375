import { openAccount } from '../support/client/account'
import { startKiller } from '../support/killer'
import { audit, ledgerTask } from '../support/operator/operator'
import { seededRandom } from '../support/random'
import { simulator } from '../support/simulator'
import type { Component } from '../support/stack'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'
import { type Bought, buyVideos } from './client'
import { faultProbability, providerFaults } from './provider-faults'

/**
 * `bun run test:load [generations] [seed]`: many clients buy videos from a provider that fails by a seed while services are killed by the
 * same seed. In the end each client has its video or its credits back, and the books are whole.
 */
const accounts = 20
const creditsEach = 1_000_000
const killed: Component[] = ['gateway', 'ledger', 'dispatcher', 'catalog', 'simulator']
const { generations, seed } = readCall(process.argv.slice(2))
const report = createReport('load')

// No random words: the simulator's die falls by seed and prompt.
const run = `load run ${seed}`
for (const [index, behaviours] of providerFaults.entries()) {
  const rule = { probability: faultProbability, seed: seed * 1_000 + index }
  await simulator.behave(run, [...behaviours, { name: 'instant' }], undefined, rule)
}
await simulator.behave(run, [{ name: 'instant' }])

const opened = await Promise.all(Array.from({ length: accounts }, () => openAccount({ credits: creditsEach })))
const random = seededRandom(seed)
const killer = startKiller({
  next: () => random.oneOf(killed),
  random,
  pauseMs: { least: 4_000, most: 10_000 },
  downMs: { least: 0, most: 2_000 },
})
const startedAt = performance.now()
const shares = opened.map((account, index) => {
  const count = Math.floor(generations / accounts) + (index < generations % accounts ? 1 : 0)
  return buyVideos(
    account,
    Array.from({ length: count }, (_, number) => `${run}, client ${index}, video ${number}`),
  )
})
const settled = await Promise.allSettled(shares)
const seconds = (performance.now() - startedAt) / 1_000
const kills = await killer.stop()

for (const share of settled)
  report.check('every client gets to an end', share.status === 'fulfilled', share.status === 'rejected' ? String(share.reason) : '')
const bought = settled.flatMap(share => (share.status === 'fulfilled' ? share.value : []))
for (const one of bought) await judge(report, one)
for (const account of opened) {
  const spent = bought.filter(one => one.account === account).reduce((sum, { task }) => sum + task.credits_used - task.credits_refunded, 0)
  const left = await account.api.credits()
  report.check('a balance went down by what its videos cost', left === creditsEach - spent, `${left} is left of ${creditsEach - spent}`)
}
const findings = await audit()
report.check('the auditor finds nothing', findings.length === 0, JSON.stringify(findings).slice(0, 500))

const ended = (name: string) => bought.filter(({ task }) => (task.error?.code ?? task.status) === name).length
report.figure('generations', bought.length)
report.figure('seed', seed)
report.figure('generations.perSecond', bought.length / seconds)
for (const end of new Set(bought.map(({ task }) => task.error?.code ?? task.status))) report.figure(`ended.${end}`, ended(end))
for (const [part, count] of Object.entries(kills)) report.figure(`kills.${part}`, count)
process.exit(report.finish())

/** One way to end, paid for as it ended, made at most once. */
async function judge(to: Report, { prompt, task }: Bought): Promise<void> {
  const { reservation, entries } = await ledgerTask(task.id)
  const completed = task.status === 'completed'
  const whole = completed ? task.credits_refunded === 0 : task.credits_refunded === task.credits_used
  const words = `${task.id} ${JSON.stringify({ task, reservation })}`
  to.check('a task is settled whole or refunded whole', whole && reservation?.state === (completed ? 'settled' : 'refunded'), words)
  to.check('its entries sum to nothing', entries.reduce((sum, { credits }) => sum + credits, 0) === 0, words)
  const made = new Set((await simulator.submits(prompt)).flatMap(({ generation_id }) => generation_id ?? []))
  to.check('it was made at most once', made.size <= 1, `${words} ${[...made]}`)
  if (completed) to.check('its video is there', (await fetch(task.output?.video_url ?? '', { method: 'HEAD' })).ok, words)
}
