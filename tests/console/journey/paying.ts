import { until } from '../../support/until'
import type { Visitor } from '../visitor'
import { must } from './steps'

/** What a page's card of that name says, such as “Paid balance”. */
export async function figure(visitor: Visitor, name: string): Promise<number> {
  const text = await visitor.tab.evaluate<string | undefined>(`(() => {
    const cards = [...document.querySelectorAll('.card')]
    return cards.find(card => card.querySelector('.figure-name').textContent === ${JSON.stringify(name)})?.querySelector('.figure').textContent
  })()`)
  must(text !== undefined, `there is no “${name}” at ${await visitor.path()}`)
  return Number(text.replace(/[^\d-]/g, ''))
}

/** From billing to the checkout, where the visitor pays, and back; what the paid balance grew by. */
export async function buy(visitor: Visitor, billing: string): Promise<{ bought: number; grew: number }> {
  await visitor.go(billing)
  const before = await figure(visitor, 'Paid balance')
  const button = await visitor.tab.evaluate<string>("document.querySelector('form[action$=purchases] button').textContent")
  const bought = Number(/Buy ([\d,]+) for/.exec(button)?.[1]?.replaceAll(',', ''))
  await visitor.press(button)
  await visitor.see('Stand-in for Stripe Checkout')
  await visitor.press('Pay')
  await visitor.see('The credits are in your balance')
  await visitor.press('Back to billing')
  await visitor.see('credits added')
  const grew = await until('the balance to grow', async () => (await figure(visitor, 'Paid balance')) - before)
  return { bought, grew }
}
