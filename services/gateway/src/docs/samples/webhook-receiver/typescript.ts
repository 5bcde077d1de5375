import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Filmgate } from '@filmgate/client'
import { verifyWebhook } from '@filmgate/client/webhooks'

const secret = process.env.FILMGATE_WEBHOOK_SECRET ?? ''
const filmgate = new Filmgate()
const bytesMax = 65_536

createServer(async (request, response) => {
  const isLong = !(Number(request.headers['content-length']) <= bytesMax)
  if (isLong) return response.writeHead(413).end()
  const event = await text(request)
    .then(body => verifyWebhook(body, request.headers, secret))
    .catch(() => undefined)
  response.writeHead(event ? 204 : 400).end()
  if (event?.type !== 'task.completed') return
  const { id } = event.data.task
  // It is not sent again once it is answered: in production store the id before the answer.
  await filmgate
    .wait(id)
    .then(video => video.save(`${id}.mp4`))
    .catch(error => console.error(`${id} is not saved`, error))
}).listen(Number(process.env.PORT ?? 3000))
