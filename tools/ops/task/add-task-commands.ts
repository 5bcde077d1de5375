import { Option } from 'commander'
import type { Group, Options, Perform } from '../command'
import { isoTime, pageLength, pageStart } from '../input/option-values'
import { type ListOptions, shownPage } from '../list-page'
import { taskRelease } from './release'
import { type RestoreOutputsInput, restoreOutputs } from './restore-outputs'
import { type TaskFilter, taskAcknowledge, taskCancel, taskFind, taskList, taskReplay, taskShow } from './task'

/** Generations. */
export function addTaskCommands(task: Group, perform: Perform): void {
  task('list', 'tasks of all accounts, newest first; narrow it by account or time where there are many')
    .option('--account <account-id>', 'only of this account')
    .addOption(new Option('--status <status>', 'as its client sees it').choices(['processing', 'completed', 'failed', 'declined']))
    .addOption(
      new Option('--billing <status>', 'where its credits are').choices(['reserved', 'review', 'refund_pending', 'settled', 'refunded']),
    )
    .option('--model <model>', 'only of this model')
    .option('--since <time>', 'created from then on, ISO 8601', isoTime)
    .option('--until <time>', 'created before that, ISO 8601', isoTime)
    .addOption(pageLength())
    .addOption(pageStart())
    .action((options: Options & ListOptions & TaskFilter) =>
      perform(options, async ({ call }) => shownPage(options, await taskList(call, options))),
    )
  task('find <provider-task-id>', "tasks by the provider's own id of them").action((providerTaskId: string, options: Options) =>
    perform(options, ({ call }) => taskFind(call, { providerTaskId })),
  )
  task('show <task-id>', "a task's whole history: events, attempts, entries").action((taskId: string, options: Options) =>
    perform(options, ({ call }) => taskShow(call, { taskId })),
  )

  task(
    'replay <task-id>',
    "have every service publish a task's events again, from its own rows: heals whatever was lost between them",
  ).action((taskId: string, options: Options) => perform(options, ({ call }) => taskReplay(call, { taskId })))
  for (const [verb, words, end] of [
    ['release', 'end a task that `replay`, its review and `dlq replay` did not: its credits and its key are free', taskRelease],
    ['cancel', 'end a task as its client could: before a submit at once, after it if its provider agrees', taskCancel],
  ] as const)
    task(`${verb} <task-id>`, words)
      .requiredOption('--reason <words>', 'how you know, or who wants it; it is kept')
      .action((taskId: string, options: Options & { reason: string }) =>
        perform(options, async ({ call, by }) => end(call, { ...options, by: await by(), taskId })),
      )

  task('acknowledge <id>', 'close the findings `verdict_contradicts` of a task, or of a grant or debit by its id; moves no money')
    .requiredOption('--reason <words>', 'what was found out; it is kept')
    .action((id: string, options: Options & { reason: string }) =>
      perform(options, async ({ call, by }) => taskAcknowledge(call, { ...options, by: await by(), id })),
    )

  task('restore-outputs', 'copy videos again from their providers that the store has lost; exit 1 where a provider has one no more')
    .requiredOption('--since <time>', 'of tasks begun since then, ISO 8601, UTC where it names no zone', isoTime)
    .action((options: Options & RestoreOutputsInput) =>
      perform(options, async ({ call }) => {
        const answer = await restoreOutputs(call, options, console.error)
        if (answer.lost.length > 0) process.exitCode = 1
        return answer
      }),
    )
}
