import type { VideoTask } from '@filmgate/client'
import { type Command, Option } from 'commander'
import { follow, forgetTask } from '../generation/follow'
import { checkOutput } from '../request/output-file'
import { readTags } from '../request/read-request'
import { connect, type Session } from '../session'
import { plain } from '../terminal/plain'
import { table } from '../terminal/terminal'
import { type Run, wholeNumber } from './run'

export function addTasks(program: Command, run: Run): void {
  const tasks = program.command('tasks').description('see, wait for, save and cancel videos')
  tasks
    .command('list')
    .description('the tasks of the account, newest first')
    .addOption(new Option('--status <status>', 'of this status only').choices(['processing', 'completed', 'failed']))
    .option('--tag <name=value>', 'with this tag only')
    .option('--limit <n>', 'at most so many', wholeNumber(1), 20)
    .action(run(listTasks))
  tasks.command('show').description('one task').argument('<id>').action(run(showTask))
  tasks.command('events').description('what happens to a task, from its first event to its last').argument('<id>').action(run(showEvents))
  tasks
    .command('wait')
    .description('wait for a task, and save its video')
    .argument('<id>')
    .option('-o, --output <file>', 'save the video there; a folder takes it under the id of its task')
    .option('--force', 'replace the file')
    .action(run(waitForTask))
  tasks
    .command('cancel')
    .description('cancel a task; its credits come back where no provider has it, or where the provider cancels it')
    .argument('<id>')
    .action(run(cancelTask))
}

type ListOptions = { status?: VideoTask['status']; tag?: string; limit: number }
const pageMax = 100

async function listTasks(session: Session, { status, tag, limit }: ListOptions): Promise<void> {
  const { terminal, signal } = session
  const [named] = Object.entries(readTags(tag === undefined ? [] : [tag]) ?? {})
  const { filmgate } = await connect(session)
  const wanted = { status, tag: named && { name: named[0], value: named[1] }, limit: Math.min(limit, pageMax), signal }
  const found: VideoTask[] = []
  for await (const task of filmgate.tasks.list(wanted)) {
    found.push(task)
    if (found.length >= limit) break
  }
  terminal.printJson({ object: 'list', data: found })
  if (found.length === 0) terminal.note('There are no such tasks.')
  else terminal.print(table([['id', 'status', 'model', 'credits', 'made'], ...found.map(taskCells)]))
}

const taskCells = (task: VideoTask) => [task.id, statusWords(task), task.model, task.credits_used - task.credits_refunded, task.created_at]

const statusWords = ({ status, billing_status: billing, error }: VideoTask) =>
  error ? `${status} (${error.code})` : billing === 'review' ? `${status} (in review)` : status

async function showTask(session: Session, id: string): Promise<void> {
  const { terminal, signal } = session
  const { filmgate } = await connect(session)
  const task = await filmgate.tasks.get(id, { signal })
  terminal.printJson(task)
  const rows = [
    ['id', task.id],
    ['status', statusWords(task)],
    ['model', `${task.model}, ${task.mode}`],
    ['credits', `${task.credits_used} taken, ${task.credits_refunded} returned (${task.billing_status ?? 'not known yet'})`],
    ['made', task.created_at],
    ...(task.error ? [['error', task.error.message]] : []),
    ...(task.output ? [['video', task.output.video_url]] : []),
  ]
  terminal.print(table(rows))
}

async function showEvents(session: Session, id: string): Promise<void> {
  const { terminal, signal } = session
  const { filmgate } = await connect(session)
  for await (const event of filmgate.tasks.events(id, { signal })) {
    terminal.printJson(event)
    const { at, type, percent, error } = event
    terminal.print(plain([at, type, percent === undefined ? undefined : `${percent} %`, error?.message].filter(Boolean).join('  ')))
  }
}

async function waitForTask(session: Session, id: string, { output, force }: { output?: string; force?: boolean }): Promise<void> {
  const target = output === undefined ? undefined : await checkOutput(output, { force })
  const { filmgate } = await connect(session)
  await follow(session, filmgate, id, target)
}

async function cancelTask(session: Session, id: string): Promise<void> {
  const { terminal, signal } = session
  const { filmgate } = await connect(session)
  const task = await filmgate.tasks.cancel(id, { signal })
  terminal.printJson(task)
  if (task.status === 'processing') {
    terminal.print(`The provider has been asked. See what comes of it: filmgate tasks wait ${plain(id)}`)
    return
  }
  await forgetTask(session, id)
  terminal.print(`Cancelled: ${plain(id)}. ${task.credits_refunded} credits come back.`)
}
