import { Filmgate } from '@filmgate/client'

const order = process.env.ORDER_ID ?? 'order-1042'
const filmgate = new Filmgate()

// Started again after a crash, it finds the task by its key and goes on waiting.
const known = await filmgate.tasks.find(order)
const task = known ?? (await filmgate.create({{ts}}, { idempotencyKey: order }))
const video = await filmgate.wait(task)
await video.save(`${order}.mp4`)
console.log(video.task.id)
