import { uuidv7 } from 'uuidv7'
import { type Account, openAccount } from '../../support/client/account'
import { seededRandom } from '../../support/random'
import { openDatabase, run } from '../../support/servers/databases'
import { settings } from '../../support/settings'
import { timed, until } from '../../support/until'
import { stripeSettings } from '../stripe/settings'
import { deliverAll, eventsPerPurchase, planDeliveries } from './deliveries'
import { type Finding, judge } from './judge'
import { packs } from './packs'
import { type Manner, startSpending } from './spend'
import { type Bought, type Story, tellStory } from './story'

export type StormOptions = {
  webhookUrl: string
  secret: string
  deliveries: number
  seed: number
  settledWithinMs: number
  /** What else happens from the first delivery until nothing is left to do. */
  beside?<T>(work: () => Promise<T>): Promise<T>
}
export type Stormed = { findings: Finding[]; figures: Record<string, number> }

const accountsMax = 20
const creditsBefore = 1_000
/** Of five accounts in a row; the others spend nothing. */
const manners: (Manner | undefined)[] = ['debits', undefined, 'videos', 'debits', undefined]

/** Tells the stories of many purchases in disorder while accounts spend, waits until nothing is left to do, and looks at every credit. */
export async function storm(options: StormOptions): Promise<Stormed> {
  const { webhookUrl, secret, deliveries: count, seed, settledWithinMs, beside = work => work() } = options
  const random = seededRandom(seed)
  const purchases = Math.ceil(count / eventsPerPurchase)
  const accounts = await Promise.all(
    Array.from({ length: Math.min(accountsMax, Math.ceil(purchases / 5)) }, () => openAccount({ credits: creditsBefore })),
  )
  const bought = Array.from(
    { length: purchases },
    (): Bought => ({ ...random.oneOf(packs), id: uuidv7(), accountId: random.oneOf(accounts).accountId }),
  )
  await insertPurchases(bought)
  const stories = bought.map(each => tellStory(random, each))
  await keepAtStripe(stories)
  const deliveries = planDeliveries(random, stories, count)
  const to = { webhookUrl, secret, otherAccount: accounts[0]?.accountId ?? '' }
  const { delivered, spent, figures } = await beside(async () => {
    const spending = startSpending(spendersOf(accounts), seededRandom(seed + 1))
    try {
      const { answer: delivered, ms } = await timed(deliverAll(to, deliveries))
      const { ms: settledMs } = await timed(until('everything to be applied', isSettled, settledWithinMs))
      const figures = { 'deliveries.seconds': ms / 1_000, 'settled.seconds': settledMs / 1_000 }
      return { delivered, spent: await spending.stop(), figures }
    } finally {
      await spending.stop()
    }
  })
  const judged = await judge(stories, new Map(accounts.map(({ accountId }) => [accountId, creditsBefore])), spent)
  const { wrong, retries, refused } = delivered
  const answered = { name: 'every delivery is answered as it should be', holds: wrong.length === 0, words: wrong.slice(0, 5).join('; ') }
  const counts = { deliveries: deliveries.length, retries, 'forged.refused': refused, purchases, events: eventsIn(stories) }
  return { findings: [answered, ...judged.findings], figures: { ...moneyOf(stories), ...counts, ...figures, ...judged.figures } }
}

const eventsIn = (stories: Story[]): number => stories.reduce((sum, { events }) => sum + events.length, 0)

const spendersOf = (accounts: Account[]): [Account, Manner][] =>
  accounts.flatMap((account, index): [Account, Manner][] => {
    const manner = manners[index % manners.length]
    return manner ? [[account, manner]] : []
  })

/** What Stripe has of them in the end, for whoever asks. */
export async function keepAtStripe(stories: Story[]): Promise<void> {
  const url = `${stripeSettings(settings.portBase).env.FILMGATE_STRIPE_URL}/control/keep`
  const rows = JSON.stringify(stories.flatMap(({ objects }) => objects))
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ rows }) })
  if (!answer.ok) throw new Error(`the stand-in kept nothing: ${answer.status}`)
}

/** As the console does before it asks for a checkout. */
export async function insertPurchases(bought: Bought[]): Promise<void> {
  const sql = openDatabase('console')
  try {
    for (const { id, accountId, credits, amount, currency } of bought)
      await sql`
        insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode)
        values (${id}, ${accountId}, 'storm', 'storm', 1, 'Storm', ${credits}, ${amount}, ${currency}, false)`
  } finally {
    await sql.end()
  }
}

/** Nothing that was told waits to be applied, and nothing that follows from it to be decided. */
export async function isSettled(): Promise<boolean> {
  const look = async () => {
    const [row] = await run<{ waiting: number }>(
      'console',
      `select (select count(*) from stripe_event where applied_at is null) + (select count(*) from payment_change where state <> 'applied')
         + (select count(*) from job where kind in ('stripe.event', 'purchase.changes', 'reversal.convert')) as waiting`,
    )
    return Number(row?.waiting) === 0
  }
  return look().catch(() => false)
}

/** Of each currency, in its smallest unit. */
function moneyOf(stories: Story[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { bought, ...story } of stories)
    for (const what of ['paid', 'refunded', 'disputed'] as const) {
      const name = `${bought.currency}.${what}`
      sums[name] = (sums[name] ?? 0) + story[what]
    }
  return sums
}
