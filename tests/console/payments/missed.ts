import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { openAccount } from '../../support/client/account'
import { seededRandom } from '../../support/random'
import { run } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import { timed, until } from '../../support/until'
import { deliverAll } from './deliveries'
import { type Finding, judge } from './judge'
import { packs } from './packs'
import { insertPurchases, isSettled, keepAtStripe } from './storm'
import { type Bought, type Story, type StripeEvent, tellStory } from './story'

export type MissedOptions = {
  webhookUrl: string
  secret: string
  consoleUrl: string
  /** Refunds and disputes, at least. */
  reversals: number
  seed: number
  settledWithinMs: number
}

const kinds = [
  ...(['part refund', 'parts refunded', 'whole refund', 'failed refund', 'lost dispute', 'open dispute', 'won dispute'] as const),
  ...(['inquiry', 'refund and dispute', 'returned twice', 'dispute in another currency', 'dispute of no known share'] as const),
]
const accountsMax = 10
const creditsBefore = 1_000
const root = join(import.meta.dir, '../../..')

type Run = {
  state: string
  missed: number
  differences: number
  findings: { detail: string }[]
  charges: number
  refunds: number
  disputes: number
}

/**
 * Refunds and disputes of many purchases, of each third of which nothing is delivered, and of each tenth purchase not
 * even its payment; then one reconciliation by `ops`, and at last what was never delivered, late.
 */
export async function missAndReconcile(options: MissedOptions): Promise<{ findings: Finding[]; figures: Record<string, number> }> {
  const { webhookUrl, secret, consoleUrl, settledWithinMs } = options
  // What other parts of the suite bought from a stand-in of their own is not in this one's lists.
  const { differences: ofOthers } = await reconcileBy(consoleUrl, '--dry-run')
  const { accounts, stories, delivered, withheld, reversals, missed } = await prepare(options)
  const to = { webhookUrl, secret, otherAccount: accounts[0] ?? '' }
  const settle = () => until('everything to be applied', isSettled, settledWithinMs)
  const before = new Map(accounts.map(id => [id, creditsBefore]))
  const { wrong } = await deliverAll(
    to,
    delivered.map(event => ({ event })),
  )
  await settle()
  const wrongBefore = (await judge(stories, before)).findings.filter(({ holds }) => !holds)
  const dry = await reconcileBy(consoleUrl, '--dry-run')
  const wrongAfterDry = (await judge(stories, before)).findings.filter(({ holds }) => !holds)
  const { answer: done, ms } = await timed(reconcileBy(consoleUrl))
  await settle()
  const reconciled = await judge(stories, before)
  await deliverAll(
    to,
    withheld.map(event => ({ event })),
  )
  await settle()
  const late = await judge(stories, before)
  const check = (name: string, holds: boolean, words = ''): Finding => ({ name, holds, words })
  const named = (when: string, { findings }: { findings: Finding[] }) => findings.map(each => ({ ...each, name: `${each.name}, ${when}` }))
  return {
    findings: [
      check('each delivery is taken', wrong.length === 0, wrong.slice(0, 3).join('; ')),
      check('what was never delivered is missing before', wrongBefore.length > 0),
      check('a dry run finds it', dry.missed === missed, `${dry.missed}, not ${missed}`),
      check('a dry run changes nothing', wrongAfterDry.length === wrongBefore.length),
      check('the reconciliation applies each', done.state === 'done' && done.missed === missed, JSON.stringify({ ...done, findings: 0 })),
      ...named('after one reconciliation', reconciled),
      await judgeAudit(stories),
      ...named('with late deliveries', late),
    ],
    figures: {
      ...{ purchases: stories.length, reversals, 'events.delivered': delivered.length, 'events.withheld': withheld.length },
      ...{ missed: done.missed, 'objects.listed': done.charges + done.refunds + done.disputes, differences: done.differences - ofOthers },
      'reconciled.seconds': ms / 1_000,
    },
  }
}

async function prepare({ reversals: wanted, seed }: MissedOptions) {
  const random = seededRandom(seed)
  const accounts = await Promise.all(
    Array.from({ length: accountsMax }, async () => (await openAccount({ credits: creditsBefore })).accountId),
  )
  const stories: Story[] = []
  const reversals = () => stories.flatMap(({ objects }) => objects).filter(({ object }) => object === 'refund' || object === 'dispute')
  while (reversals().length < wanted) {
    const bought: Bought = { ...random.oneOf(packs), id: uuidv7(), accountId: random.oneOf(accounts) }
    stories.push(tellStory(random, bought, kinds[stories.length % kinds.length]))
  }
  await insertPurchases(stories.map(({ bought }) => bought))
  await keepAtStripe(stories)
  const silent = new Set(reversals().flatMap(({ id }, index) => (index % 3 === 0 ? [id] : [])))
  const unpaid = new Set(stories.flatMap(({ bought }, index) => (index % 10 === 0 ? [bought.id] : [])))
  const isWithheld = (story: Story, { data }: StripeEvent) => {
    const { id, object } = data.object as { id: string; object: string }
    return object === 'refund' || object === 'dispute' ? silent.has(id) : unpaid.has(story.bought.id)
  }
  const events = stories.flatMap(story => story.events.map(event => ({ event, isWithheld: isWithheld(story, event) })))
  const shuffled = events.map(each => ({ ...each, at: random.between(0, 1) })).toSorted((a, b) => a.at - b.at)
  return {
    ...{ accounts, stories, reversals: reversals().length, missed: silent.size + unpaid.size },
    delivered: shuffled.filter(({ isWithheld }) => !isWithheld).map(({ event }) => event),
    withheld: shuffled.filter(({ isWithheld }) => isWithheld).map(({ event }) => event),
  }
}

/** As an operator does, of the last three days: Stripe tells for as long. */
async function reconcileBy(consoleUrl: string, ...more: string[]): Promise<Run> {
  const from = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const to = new Date().toISOString()
  const words = [
    'payments',
    'reconcile',
    '--from',
    from,
    '--to',
    to,
    '--reason',
    'a third was never delivered',
    '--by',
    'test',
    '--json',
    ...more,
  ]
  const child = Bun.spawn([process.execPath, 'tools/ops.ts', ...words], {
    cwd: root,
    env: { ...process.env, FILMGATE_CONSOLE_URL: consoleUrl, FILMGATE_OPERATOR_TOKEN: settings.operatorToken },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Run
}

/** What the audit of sales, which ends each reconciliation, finds of these purchases. */
async function judgeAudit(stories: Story[]): Promise<Finding> {
  const [row] = await run<{ findings: { purchaseId: string | null; detail: string }[] | string }>(
    'console',
    'select findings from payment_audit order by at desc limit 1',
  )
  const all =
    typeof row?.findings === 'string' ? (JSON.parse(row.findings) as { purchaseId: string | null; detail: string }[]) : row?.findings
  const ids = new Set(stories.map(({ bought }) => bought.id))
  const own = all?.filter(({ purchaseId }) => purchaseId !== null && ids.has(purchaseId))
  return { name: 'the audit of sales finds nothing', holds: own?.length === 0, words: JSON.stringify(own?.slice(0, 5)) }
}
