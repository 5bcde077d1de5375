import { uuidv7 } from 'uuidv7'
import { openAccount } from '../../support/client/account'
import { audit, operate } from '../../support/operator/operator'
import { seededRandom } from '../../support/random'
import { openDatabase, run } from '../../support/servers/databases'
import { until } from '../../support/until'
import { deliverAll, eventsPerPurchase, planDeliveries } from './deliveries'
import { type Bought, type Story, tellStory } from './story'

export type StormOptions = { webhookUrl: string; secret: string; deliveries: number; seed: number; settledWithinMs: number }
export type Finding = { name: string; holds: boolean; words: string }
export type Stormed = { findings: Finding[]; figures: Record<string, number> }

const accountsMax = 20
const creditsBefore = 1_000

/** Tells the stories of many purchases in disorder, waits until nothing is left to do, and looks at every credit. */
export async function storm({ webhookUrl, secret, deliveries: count, seed, settledWithinMs }: StormOptions): Promise<Stormed> {
  const random = seededRandom(seed)
  const purchases = Math.ceil(count / eventsPerPurchase)
  const accounts = await Promise.all(
    Array.from({ length: Math.min(accountsMax, Math.ceil(purchases / 5)) }, () => openAccount({ credits: creditsBefore })),
  )
  const bought = Array.from({ length: purchases }, (): Bought => {
    const credits = random.oneOf([1_000, 5_000, 20_000])
    return { id: uuidv7(), accountId: random.oneOf(accounts).accountId, credits, amount: credits }
  })
  await insertPurchases(bought)
  const stories = bought.map(each => tellStory(random, each))
  const deliveries = planDeliveries(random, stories, count)
  const startedAt = performance.now()
  const delivered = await deliverAll({ webhookUrl, secret, otherAccount: accounts[0]?.accountId ?? '' }, deliveries)
  const deliveredMs = performance.now() - startedAt
  await until('everything to be applied', () => isSettled(bought), settledWithinMs)
  const findings: Finding[] = [
    {
      name: 'every delivery is answered as it should be',
      holds: delivered.wrong.length === 0,
      words: delivered.wrong.slice(0, 5).join('; '),
    },
  ]
  for (const { accountId } of accounts) findings.push(await judgeAccount(accountId, stories))
  findings.push(...(await judgeChanges(stories)))
  const found = await audit()
  findings.push({ name: 'the auditor finds nothing', holds: found.length === 0, words: JSON.stringify(found).slice(0, 500) })
  return { findings, figures: { ...moneyOf(stories), deliveries: deliveries.length, ...figuresOf(delivered, stories, deliveredMs) } }
}

const figuresOf = ({ retries, refused }: { retries: number; refused: number }, stories: Story[], ms: number) => ({
  retries,
  'forged.refused': refused,
  purchases: stories.length,
  events: stories.flatMap(({ events }) => events).length,
  'deliveries.seconds': ms / 1_000,
})

/** As the console does before it asks for a checkout. */
async function insertPurchases(bought: Bought[]): Promise<void> {
  const sql = openDatabase('console')
  try {
    for (const { id, accountId, credits, amount } of bought)
      await sql`
        insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode)
        values (${id}, ${accountId}, 'storm', 'storm', 1, 'Storm', ${credits}, ${amount}, 'usd', false)`
  } finally {
    await sql.end()
  }
}

/** Nothing that was told waits to be applied, and nothing that follows from it to be decided. */
async function isSettled(bought: Bought[]): Promise<boolean> {
  const look = async () => {
    const [row] = await run<{ waiting: number }>(
      'console',
      `select (select count(*) from stripe_event where applied_at is null) + (select count(*) from payment_change where state <> 'applied')
         + (select count(*) from job where kind in ('stripe.event', 'purchase.changes')) as waiting`,
    )
    return Number(row?.waiting) === 0
  }
  return bought.length > 0 && (await look().catch(() => false))
}

const leftOf = ({ paid, refunded, disputed }: Story): number => paid - refunded - disputed

/** A credit of these packs is a cent, so money and credits are the same number. */
async function judgeAccount(accountId: string, stories: Story[]): Promise<Finding> {
  const expected =
    creditsBefore + stories.filter(({ bought }) => bought.accountId === accountId).reduce((sum, story) => sum + leftOf(story), 0)
  const { account } = await operate<{ account: { available: number; owed: number } }>('ledger', 'GET', `/accounts/${accountId}`)
  const has = account.available - account.owed
  return { name: 'an account has what its payments left', holds: has === expected, words: `${accountId}: ${has}, not ${expected}` }
}

async function judgeChanges(stories: Story[]): Promise<Finding[]> {
  const changes = await run<{ id: string; kind: string; credits: string; purchase_id: string }>(
    'console',
    'select id, kind, credits, purchase_id from payment_change where purchase_id = any(string_to_array($1, $2)::uuid[])',
    [stories.map(({ bought }) => bought.id).join(','), ','],
  )
  const asked = changes.reduce((sum, { kind, credits }) => sum + (kind === 'grant' ? Number(credits) : -Number(credits)), 0)
  const money = stories.reduce((sum, story) => sum + leftOf(story), 0)
  const payments = changes.filter(({ id }) => id.startsWith('stripe:pi_')).length
  const paid = stories.filter(story => story.paid > 0).length
  const ledger = await run<{ id: string }>(
    'gateway',
    `select id from credit_change where state = 'applied' and account_id = any(string_to_array($1, $2)) and id like 'stripe:%'`,
    [[...new Set(stories.map(({ bought }) => bought.accountId))].join(','), ','],
  )
  return [
    { name: 'payments − refunds − disputes = grants − debits', holds: asked === money, words: `${asked} credits, ${money} cents` },
    { name: 'one grant a payment', holds: payments === paid, words: `${payments} grants of ${paid} payments` },
    {
      name: 'the ledger has decided each change once',
      holds: ledger.length === changes.length,
      words: `${ledger.length} of ${changes.length}`,
    },
  ]
}

const moneyOf = (stories: Story[]) => ({
  'cents.paid': stories.reduce((sum, { paid }) => sum + paid, 0),
  'cents.refunded': stories.reduce((sum, { refunded }) => sum + refunded, 0),
  'cents.disputed': stories.reduce((sum, { disputed }) => sum + disputed, 0),
})
