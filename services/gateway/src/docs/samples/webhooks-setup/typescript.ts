import { Filmgate } from '@filmgate/client'

const { webhooks } = new Filmgate()
const endpoint = await webhooks.create({
  url: process.env.WEBHOOK_URL ?? 'https://example.com/filmgate',
  events: ['task.completed', 'task.failed'],
})
console.log(endpoint.id, endpoint.secret) // The secret is told this once.
const delivery = await webhooks.test(endpoint.id)
console.log(delivery.id, delivery.status)
