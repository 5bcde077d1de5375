import { follow, gathered, type Order, outboxed, sql, startPublisher, topics } from './wire'

const waiting = new Map<string, () => void>()
const publish = await startPublisher(topics.requests)
const accept = gathered<Order>(async orders => {
  await sql`
    with made as (
      insert into task (id, body, status) select id, body, 'new' from unnest(${orders.map(({ id }) => id)}::uuid[], ${orders.map(({ body }) => body)}::text[]) as row (id, body)
    ) ${outboxed(orders, topics.requests)}`
  publish(orders)
})
await follow(topics.generations, async orders => {
  await sql`update task set status = 'accepted' where id = any(${orders.map(({ id }) => id)}::uuid[])`
  for (const { id } of orders) {
    waiting.get(id)?.()
    waiting.delete(id)
  }
})
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const order = { id: crypto.randomUUID(), body: await request.text() }
    const accepted = new Promise<void>(resolve => waiting.set(order.id, resolve))
    await accept([order])
    await accepted
    return Response.json({ id: order.id }, { status: 202 })
  },
})
console.log(server.url.origin)
