import { Filmgate, FilmgateError } from '@filmgate/client'
import type { Job, Made } from './workers'

/** A program of a client in TypeScript: makes the video of each job that comes as a line, and prints what became of it. */
for await (const text of console) {
  if (text === '') continue
  const { id, url, request, saveTo } = JSON.parse(text) as Job
  const filmgate = new Filmgate({ baseUrl: url })
  const made: Made = await filmgate.generate(request, { idempotencyKey: id, saveTo }).then(
    ({ task }) => ({ id, taskId: task.id }),
    (error: unknown) => ({ id, error: error instanceof FilmgateError ? `${error.code}: ${error.message}` : String(error) }),
  )
  console.log(JSON.stringify(made))
}
