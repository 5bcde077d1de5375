import { follow, gathered, type Order, outboxed, sql, startPublisher, topics } from './wire'

const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => Response.json({ id: crypto.randomUUID(), bytes: (await request.text()).length }),
})
const publish = await startPublisher(topics.generations)
const accepted = gathered<Order>(async orders => {
  await sql`
    with moved as (update attempt set state = 'accepted' where id = any(${orders.map(({ id }) => id)}::uuid[]))
    ${outboxed(orders, topics.generations)}`
  publish(orders)
})
const submit = async (order: Order) => {
  const response = await fetch(provider.url, { method: 'POST', body: order.body })
  await response.json()
  await accepted([order])
}
await follow(topics.credits, async orders => {
  await sql`insert into attempt (id, state) select id, 'sending' from unnest(${orders.map(({ id }) => id)}::uuid[]) as row (id)`
  for (const order of orders) void submit(order)
})
console.log('ready')
