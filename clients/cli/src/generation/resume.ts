import type { Filmgate } from '@filmgate/client'
import { checkOutput, type Output } from '../request/output-file'
import { connect, type Session } from '../session'
import { forgetPending, isHeld, listAbandoned, listPending, type PendingGeneration, savePending } from '../state/pending-generation'
import { thisProcess } from '../state/process-start'
import { report } from '../terminal/explain'
import { type ExitCode, exitCodes, Failure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import { createPending } from './create-pending'
import { follow, waitCommand } from './follow'
import { checkTaskId } from './task-id'

type Wanted = { output?: string; force?: boolean }

/**
 * Goes on with what earlier calls left: all of it, oldest first, or `name` alone. The same POST finds its task, or makes it
 * now. One that fails keeps no other from its turn; the worst exit code is told at the end.
 */
export async function resume(session: Session, { output, force }: Wanted, name?: string): Promise<void> {
  const { terminal, signal } = session
  const { filmgate, settings } = await connect(session)
  const left = (await listPending(session.folders)).filter(pending => name === undefined || isNamed(pending, name))
  const held = left.filter(isHeld)
  for (const pending of held) terminal.note(heldWords(pending))
  const all = left.filter(pending => !held.includes(pending))
  const nothing = name === undefined ? 'There is nothing to resume.' : `There is nothing of the name ${plain(name)} to resume.`
  if (all.length === 0) throw new Failure(nothing, { exit: exitCodes.failed, code: 'nothing_to_resume' })
  const keyId = (await filmgate.key()).key_id
  const own = all.filter(pending => pending.url === settings.url && pending.keyId === keyId)
  const [foreign] = all.filter(pending => !own.includes(pending))
  // Under another key the same POST would make, and charge, a second video.
  if (foreign) terminal.note(`Left alone, since another key or URL made it: ${pendingWords(foreign)} at ${plain(foreign.url)}`)
  if (own.length === 0) throw new Failure('Nothing of this key is left to resume.', { exit: exitCodes.failed, code: 'nothing_to_resume' })
  if (output !== undefined && own.length > 1)
    throw new Failure(`-o names one file, and ${own.length} videos are to be resumed.`, {
      exit: exitCodes.usage,
      code: 'usage',
      hints: own.map(pending => `Say which: filmgate generate --resume ${nameOf(pending)} -o ${plain(output)}`),
    })
  const exits: ExitCode[] = []
  for (const pending of own) {
    try {
      terminal.note(`resuming ${pendingWords(pending)}`)
      await resumeOne(session, filmgate, pending, { output, force })
    } catch (error) {
      if (own.length === 1 || signal.aborted) throw error
      exits.push(report(terminal, error))
    }
  }
  const [exit] = exits.toSorted((one, other) => other - one)
  if (exit === undefined) return
  throw new Failure(`${exits.length} of ${own.length} have not come to their end.`, { exit, code: 'not_all_resumed' })
}

async function resumeOne(session: Session, filmgate: Filmgate, pending: PendingGeneration, { output, force }: Wanted): Promise<void> {
  const target = await targetOf(pending, output, force ?? pending.force)
  const claimed = { ...pending, ...thisProcess() }
  if (pending.taskId === undefined) {
    const task = await createPending(session, filmgate, claimed, true)
    return follow(session, filmgate, task.id, target)
  }
  await savePending(session.folders, claimed)
  return follow(session, filmgate, pending.taskId, target)
}

/** Where it was meant to go, unless told otherwise. */
async function targetOf(pending: PendingGeneration, output: string | undefined, force?: boolean): Promise<Output | undefined> {
  const path = output ?? pending.output
  if (path === undefined) return undefined
  return checkOutput(path, { force }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const { message, exit, code } = error
    const name = nameOf(pending)
    const hints = [
      `Save it elsewhere: filmgate generate --resume ${name} -o FILE`,
      `Or replace what is there: filmgate generate --resume ${name} --force`,
      `Or forget it: filmgate generate --forget ${name}`,
    ]
    throw new Failure(message, { exit, code, hints })
  })
}

/** What names it on a command line: its task, once that is known. */
const nameOf = ({ taskId, idempotencyKey }: PendingGeneration): string => checkTaskId(taskId ?? idempotencyKey)
const isNamed = ({ taskId, idempotencyKey }: PendingGeneration, name: string): boolean => name === taskId || name === idempotencyKey

function heldWords(pending: PendingGeneration): string {
  const { taskId, output, pid } = pending
  const how = taskId === undefined ? 'filmgate tasks list' : waitCommand(checkTaskId(taskId), output)
  return `Left alone, since process ${pid} waits for it: ${pendingWords(pending)}. Without that process: ${how}`
}

/** Says on stderr that earlier calls left something: whoever starts again might pay twice for one video. */
export async function tellOfPending({ folders, terminal }: Session): Promise<void> {
  const pending = await listAbandoned(folders)
  if (pending.length === 0) return
  const [first] = pending
  const others = pending.length > 1 ? ` and ${pending.length - 1} more` : ''
  terminal.note(
    `${terminal.style('yellow', 'note:', 'stderr')} an earlier call has not seen the end of ${first && pendingWords(first)}${others}.`,
  )
  terminal.note('Go on with it: filmgate generate --resume. Or forget it: filmgate generate --forget')
}

/** Forgets what earlier calls left, or `name` alone. It cancels nothing. */
export async function forget({ folders, terminal }: Session, name?: string): Promise<void> {
  // One that is named is forgotten even where a process seems to wait for it.
  const pending = name === undefined ? await listAbandoned(folders) : (await listPending(folders)).filter(one => isNamed(one, name))
  await Promise.all(pending.map(({ idempotencyKey }) => forgetPending(folders, idempotencyKey)))
  terminal.printJson({ forgotten: pending.length })
  terminal.print(`Forgotten: ${pending.length}. Their tasks, if there are any, go on: filmgate tasks list`)
}

function pendingWords({ taskId, request, createdAt }: PendingGeneration): string {
  const prompt = plain(request.prompt).slice(0, 40)
  return `${taskId === undefined ? 'a video' : plain(taskId)} (${JSON.stringify(prompt)}, ${plain(createdAt)})`
}
