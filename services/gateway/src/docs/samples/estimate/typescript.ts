import { Filmgate } from '@filmgate/client'

const filmgate = new Filmgate()
const { credits, breakdown, available_credits } = await filmgate.estimate({{ts}})
for (const { item, quantity, unit, rate } of breakdown) console.log(`${item}: ${quantity} × ${rate} a ${unit}`)
console.log(`${credits} of ${available_credits} credits`)
