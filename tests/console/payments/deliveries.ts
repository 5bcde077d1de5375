import Stripe from 'stripe'
import type { Random } from '../../support/random'
import type { Story, StripeEvent } from './story'

export type Delivery = { event: StripeEvent; forged?: Forgery }
export const forgeries = ['wrong secret', 'old timestamp', 'altered body', 'other account', 'no signature'] as const
export type Forgery = (typeof forgeries)[number]

/** Of deliveries, how many are forged. */
const forgedShare = 0.08
const copiesMax = 4
const atOnce = 16
const retryMs = 300
const giveUpMs = 240_000

/** So many deliveries of the stories, each event at least once, in an order of their own. */
export function planDeliveries(random: Random, stories: Story[], count: number): Delivery[] {
  const all = stories.flatMap(({ events }) => events)
  const forged = Array.from({ length: Math.floor(count * forgedShare) }, () => ({
    event: random.oneOf(all),
    forged: random.oneOf(forgeries),
  }))
  const once: Delivery[] = all.map(event => ({ event }))
  const again: Delivery[] = Array.from({ length: Math.max(0, count - once.length - forged.length) }, () => ({ event: random.oneOf(all) }))
  return shuffled(random, [...once, ...again, ...forged])
}

export const eventsPerPurchase = 4 + copiesMax / 2

function shuffled<T>(random: Random, items: T[]): T[] {
  const left = [...items]
  for (let last = left.length - 1; last > 0; last--) {
    const other = Math.floor(random.between(0, last + 1))
    const [a, b] = [left[last], left[other]]
    if (a === undefined || b === undefined) continue
    left[last] = b
    left[other] = a
  }
  return left
}

type To = { webhookUrl: string; secret: string; otherAccount: string }
export type Delivered = { wrong: string[]; retries: number; refused: number }

/** Delivers as Stripe does: again until it is taken, signed anew each time. What is forged must be refused. */
export async function deliverAll(to: To, deliveries: Delivery[]): Promise<Delivered> {
  const waiting = [...deliveries].toReversed()
  const done: Delivered = { wrong: [], retries: 0, refused: 0 }
  const giveUpAt = Date.now() + giveUpMs
  async function deliverer(): Promise<void> {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { forged } = next
      const expected = forged ? 400 : 200
      let status = await send(to, next)
      while (status !== expected && (status === 0 || status >= 500) && Date.now() < giveUpAt) {
        done.retries += 1
        await Bun.sleep(retryMs)
        status = await send(to, next)
      }
      if (status !== expected) done.wrong.push(`${next.event.type} ${forged ?? 'as it should be'}: ${status}`)
      else if (forged) done.refused += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, deliverer))
  return done
}

async function send({ webhookUrl, secret, otherAccount }: To, { event, forged }: Delivery): Promise<number> {
  const signedText = JSON.stringify(event)
  const ageSeconds = forged === 'old timestamp' ? 400 : 0
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: signedText,
    secret: forged === 'wrong secret' ? 'whsec_of_somebody_who_has_none' : secret,
    timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
  })
  const altered = forged === 'altered body' ? signedText.replace('"livemode":false', '"livemode":true') : signedText
  const text =
    forged === 'other account' ? altered.replace(/"account":"[^"]*"|"amount":\d+|"livemode":false/, `"account":"${otherAccount}"`) : altered
  const headers = { 'content-type': 'application/json', ...(forged !== 'no signature' && { 'stripe-signature': signature }) }
  return fetch(webhookUrl, { method: 'POST', body: text, headers, keepalive: false, signal: AbortSignal.timeout(20_000) }).then(
    answer => answer.status,
    () => 0,
  )
}
