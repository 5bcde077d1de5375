import { type Filmgate, FilmgateError, type Video, type VideoTask } from '@filmgate/client'
import { type Output, saveTo } from '../request/output-file'
import type { Session } from '../session'
import { forgetPending, listPending } from '../state/pending-generation'
import { exitCodes, Failure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import { type ProgressLine, startProgress } from '../terminal/progress'
import { checkTaskId } from './task-id'

/** How to go on with a task that is known. */
export const waitCommand = (taskId: string, output?: string) =>
  `filmgate tasks wait ${taskId}${output === undefined ? '' : ` -o ${quoted(output)}`}`

const quoted = (path: string) => (/^[\w./~+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** Waits for a task, saves its video where one is wanted, and prints what came of it. Ctrl-C leaves the task running. */
export async function follow(session: Session, filmgate: Filmgate, taskId: string, output?: Output): Promise<void> {
  const { terminal, signal } = session
  const progress = startProgress(terminal)
  let video: Video | undefined
  session.onInterrupt(() => {
    progress.end()
    return video ? leftUnsaved(taskId, output?.path) : leftRunning(taskId, output?.path)
  })
  try {
    video = await waited(filmgate, taskId, progress, signal)
    const path = output && (await saved(video, output, progress))
    progress.end()
    await forgetTask(session, taskId)
    show(session, video.task, path)
  } catch (error) {
    progress.end()
    if (isFailedTask(error)) await forgetTask(session, taskId)
    else if (video) terminal.note(`The video is there, and is paid. Save it by: ${waitCommand(taskId, output?.path)}`)
    else if (!isRefusal(error)) terminal.note(`The task goes on. Go on with: ${waitCommand(taskId, output?.path)}`)
    throw error
  }
}

async function waited(filmgate: Filmgate, taskId: string, progress: ProgressLine, signal: AbortSignal): Promise<Video> {
  return filmgate.wait(taskId, { signal, onProgress: ({ phase, percent }) => progress.show({ phase, percent }) })
}

function saved(video: Video, output: Output, progress: ProgressLine): Promise<string> {
  progress.show({ phase: 'saving' })
  return saveTo(output, checkTaskId(video.task.id), path => video.save(path))
}

function show({ terminal }: Session, task: VideoTask, path?: string): void {
  terminal.printJson({ ...task, ...(path !== undefined && { saved_to: path }) })
  const net = task.credits_used - task.credits_refunded
  terminal.note(`${terminal.style('green', 'done', 'stderr')} ${plain(task.id)}: ${net} credits`)
  terminal.print(path ?? plain(task.output?.video_url ?? ''))
}

/** The task is unknown, or the key does not work: waiting again changes nothing. */
const isRefusal = (error: unknown) => error instanceof FilmgateError && error.status !== undefined && error.status < 500

const isFailedTask = (error: unknown) => (error as { task?: VideoTask }).task?.status === 'failed'

const leftRunning = (taskId: string, output?: string) =>
  new Failure(`Interrupted. The task ${taskId} goes on and is charged when it is done.`, {
    exit: exitCodes.interrupted,
    code: 'interrupted',
    hints: [`Go on with: ${waitCommand(taskId, output)}`, `Or end it: filmgate tasks cancel ${taskId}`],
    facts: { task_id: taskId },
  })

const leftUnsaved = (taskId: string, output?: string) =>
  new Failure(`Interrupted. The video of ${taskId} is there, and is paid, but was not saved.`, {
    exit: exitCodes.interrupted,
    code: 'interrupted',
    hints: [`Save it by: ${waitCommand(taskId, output)}`],
    facts: { task_id: taskId },
  })

/** Its end is known: nothing is left to resume. */
export async function forgetTask({ folders }: Session, taskId: string): Promise<void> {
  const pending = await listPending(folders)
  await Promise.all(pending.filter(one => one.taskId === taskId).map(one => forgetPending(folders, one.idempotencyKey)))
}
