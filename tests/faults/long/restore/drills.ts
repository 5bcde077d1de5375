import { beforeAll, expect, test } from 'bun:test'
import { type DatabaseOwner, databaseOwners } from '@filmgate/tools/stack/contents/database-owners'
import { audit } from '../../../support/operator/operator'
import { ops, opsDone } from '../../../support/operator/ops'
import { deadLetters } from '../../../support/servers/dead-letters'
import { move } from '../../../support/stack'
import { faultMs } from '../../../support/suite/fault-length'
import { addFigure } from '../../../support/suite/figures'
import { judgeOrders } from './judge'
import { type Load, repeatSince, startLoad } from './load'
import { enterRecoveryMode } from './recovery-mode'
import { missing, type Rows, rowsOf } from './rows'
import { copyBase, lose, restore, startArchive } from './servers'
import { loseKafka, loseOutputs, makeTopics } from './storage'

/** Two minutes where `test:faults` asks for its ten; orders come meanwhile. */
const setBackMs = faultMs(60_000) / 5
const beforeMs = 20_000
const afterMs = 20_000
/** As docs/restore.md says. */
const sinceMs = 60_000
/** FILMGATE_ADMISSION_TIMEOUT_MS of stack.env: recovery mode lasts longer. */
const admissionMs = 60_000
/** The slowest order takes half a minute, a look-up that finds nothing proves it within a minute. */
const endMsMax = 240_000
const agreeMsMax = 60_000
const drillMsMax = 1_200_000

const say = (line: string) => process.stderr.write(`${line}\n`)

beforeAll(async () => {
  for (const owner of databaseOwners) await startArchive(owner)
}, drillMsMax)

/** A loss, and the runbook's commands after it. */
type Loss = { prepare?(): Promise<void>; lose(moment: Date): Promise<void>; repair(moment: Date): Promise<void> }

/** A loss under load, and the runbook's commands. Then every client repeats what it asked since the moment. */
async function drill(name: string, loss: Loss): Promise<void> {
  await loss.prepare?.()
  const load = await startLoad()
  await Bun.sleep(beforeMs)
  const moment = new Date()
  await Bun.sleep(setBackMs)
  const lostAt = performance.now()
  await loss.lose(moment)
  await loss.repair(moment)
  const minutes = (performance.now() - lostAt) / 60_000
  await Bun.sleep(afterMs)
  await load.stop()
  await repeatSince(load, new Date(moment.getTime() - beforeMs))
  expect(await judgeOrders(load.clients, endMsMax)).toEqual([])
  expect(await audit()).toEqual([])
  expect(await crossAudit(moment)).toEqual([])
  expect(await deadLetters()).toEqual([])
  say(`${name}: ${ordersOf(load)} orders, ${minutes.toFixed(1)} minutes until POSTs were taken again`)
  addFigure(`${name}.minutes`, minutes)
  addFigure(`${name}.orders`, ordersOf(load))
}

/** Recovery mode on, the restore, `ops recover`, and recovery mode off once no admission can be under way. */
async function recover(moment: Date, restore: (moment: Date) => Promise<void>): Promise<void> {
  const mode = await enterRecoveryMode()
  const enteredAt = performance.now()
  await restore(moment)
  await mode.serving()
  const { stderr, exitCode } = await ops('recover', '--since', sinceOf(moment))
  say(stderr.trimEnd())
  if (exitCode !== 0) throw new Error(`ops recover ended with ${exitCode}`)
  await Bun.sleep(Math.max(0, admissionMs - (performance.now() - enteredAt)))
  await mode.leave()
}

const sinceOf = (moment: Date): string => new Date(moment.getTime() - sinceMs).toISOString()

const ordersOf = ({ clients }: Load): number => clients.reduce((sum, { orders }) => sum + orders.length, 0)

type CrossAuditShown = { findings: { check: string; subject: string; detail: string }[] }

/** What the cross-audit finds once the last events are there. */
async function crossAudit(moment: Date): Promise<unknown[]> {
  const deadline = Date.now() + agreeMsMax
  for (;;) {
    const { stdout, stderr } = await ops('audit', 'across', '--since', sinceOf(moment), '--grace', '5', '--json')
    const findings: unknown[] = stdout ? (JSON.parse(stdout) as CrossAuditShown).findings : [stderr.trim()]
    if (findings.length === 0 || Date.now() > deadline) return findings
    await Bun.sleep(5_000)
  }
}

/** The databases at once, each on its own server, while the others go on. Says what was lost with each, and what came back. */
async function setBack(name: string, owners: readonly DatabaseOwner[]): Promise<void> {
  const before = new Map<DatabaseOwner, Rows>()
  await drill(name, {
    async prepare() {
      for (const owner of owners) await copyBase(owner)
    },
    async lose() {
      for (const owner of owners) before.set(owner, await rowsOf(owner))
      await Promise.all(owners.map(lose))
    },
    repair: moment =>
      recover(moment, async () => {
        await Promise.all(owners.map(owner => restore(owner, moment)))
        for (const owner of owners) await sayMissing(name, owner, 'lost', before)
      }),
  })
  for (const owner of owners) {
    const left = await sayMissing(name, owner, 'not recovered', before)
    expect([owner, [...left].filter(([, count]) => count > 0)]).toEqual([owner, []])
  }
}

async function sayMissing(name: string, owner: DatabaseOwner, what: string, before: ReadonlyMap<DatabaseOwner, Rows>) {
  const counts = missing(before.get(owner) ?? new Map(), await rowsOf(owner))
  for (const [table, count] of counts) {
    say(`${name}: ${what}: ${owner} ${table} ${count}`)
    addFigure(`${name}.${owner}.${table}.${what.replace(' ', '-')}`, count)
  }
  return counts
}

for (const owner of databaseOwners)
  test(`the database of ${owner} is set back: each order has one video, paid once`, () => setBack(owner, [owner]), drillMsMax)

test('all databases are set back at once: each order has one video, paid once', () => setBack('together', databaseOwners), drillMsMax)

test(
  'Kafka’s disk is lost: each order has one video, paid once',
  () => drill('kafka', { lose: loseKafka, repair: moment => recover(moment, beginAnew) }),
  drillMsMax,
)

test(
  'S3 loses its newest outputs: each video is there again, copied from its provider',
  () => drill('s3', { lose: loseNewest, repair: restoreOutputs }),
  drillMsMax,
)

/** The topics, and who follows or publishes them and is not restarted by recovery mode. */
async function beginAnew(): Promise<void> {
  await makeTopics()
  for (const service of ['catalog', 'webhooks', 'console'] as const) {
    await move(service, 'stop')
    await move(service, 'start')
  }
}

async function loseNewest(moment: Date): Promise<void> {
  const lost = loseOutputs(moment)
  say(`s3: lost: outputs and posters ${lost}`)
  addFigure('s3.outputs.lost', lost)
}

async function restoreOutputs(moment: Date): Promise<void> {
  const { restored, lost } = JSON.parse(await opsDone('task', 'restore-outputs', '--since', sinceOf(moment), '--json'))
  say(`s3: copied again ${restored}, gone at their providers ${lost.length}`)
  addFigure('s3.outputs.copied-again', restored)
}
