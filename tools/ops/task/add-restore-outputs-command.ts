import type { Group, Options, Perform } from '../command'
import { isoTime } from '../input/option-values'
import { type RestoreOutputsInput, restoreOutputs } from './restore-outputs'

export function addRestoreOutputsCommand(task: Group, perform: Perform): void {
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
