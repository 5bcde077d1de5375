import { Filmgate } from '@filmgate/client'

const { limits, spend, budgets } = await new Filmgate().key()
console.log(`${limits.requests_per_minute} requests a minute, ${spend.month_credits} credits this month`)
for (const { budget, period, left_credits, max_credits } of budgets)
  console.log(`${budget}, ${period}: ${left_credits} of ${max_credits} credits left`)
