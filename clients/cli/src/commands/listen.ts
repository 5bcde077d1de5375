import { followTasks, listenInterval } from '../listen/follow-tasks'
import { forward } from '../listen/forward'
import { isSecret, newSecret } from '../listen/sign'
import { connect, type Session } from '../session'
import { exitCodes, Failure, usageFailure } from '../terminal/failure'
import { plain } from '../terminal/plain'

export type ListenOptions = { forwardTo?: string; event?: string[]; secret?: string }

/** Tells of the ends of tasks until Ctrl-C. With --json each event is a line. */
export async function listen(session: Session, { forwardTo, event, secret = newSecret() }: ListenOptions): Promise<void> {
  const { terminal, signal } = session
  if (forwardTo !== undefined && !isWebUrl(forwardTo))
    throw usageFailure(`--forward-to ${JSON.stringify(forwardTo)} is no http URL.`, 'As in --forward-to http://localhost:3000/hook')
  if (!isSecret(secret)) throw usageFailure('--secret is not whsec_ and the base64 of 24 to 64 bytes.')
  const { filmgate } = await connect(session)
  const { limits } = await filmgate.key({ signal })
  const intervalMs = listenInterval(limits.requests_per_minute)
  let told = 0
  session.onInterrupt(() => new Failure(`Stopped after ${told} events.`, { exit: exitCodes.interrupted, code: 'interrupted' }))
  for await (const happened of followTasks(filmgate, { intervalMs, signal, onStart: started })) {
    if (event && !event.includes(happened.body.type)) continue
    told++
    const answer = forwardTo === undefined ? undefined : await forward(forwardTo, happened, secret)
    terminal.printJson({ ...happened.body, ...(answer && { delivery: answer }) })
    const words = answer === undefined ? '' : ` → ${answer.status ?? answer.error} (${answer.duration_ms} ms)`
    terminal.print(plain(`${happened.body.timestamp} ${happened.body.type} ${happened.body.data.task.id}${words}`))
  }

  function started(): void {
    if (forwardTo !== undefined) terminal.note(`Secret: ${secret}`)
    terminal.note(`Listening by reading the tasks every ${Math.round(intervalMs / 1_000)} s. Ctrl-C ends it.`)
  }
}

const isWebUrl = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
