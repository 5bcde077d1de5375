import { type Command, Option } from 'commander'
import { interrupted, type Options, type Perform } from '../command'
import { isoTime, wholeNumber } from '../input/option-values'
import { type AcrossInput, auditAcross, auditBooks } from './audit'

/** `audit` checks the ledger alone, `audit across` the services against each other. */
export function addAuditCommands(audit: Command, withCommonOptions: (command: Command) => Command, perform: Perform): void {
  withCommonOptions(audit)
    .option('--full', 'everything, not only what came after the last run that found it in order')
    .action((options: Options & { full?: boolean }) =>
      perform(options, async ({ call }) => {
        const answer = await auditBooks(call, options)
        if (answer.findings.length) process.exitCode = 1
        return answer
      }),
    )
  withCommonOptions(audit.command('across'))
    .description('compare what two services have of the same tasks, credits and files; waits for the end; exit 1 where they differ')
    .option('--since <time>', 'tasks and changes made from then on, ISO 8601 (default: a day ago); balances are all compared', isoTime)
    .addOption(
      new Option('--grace <seconds>', 'leave out what changed in the last seconds: it may be on its way (default: 600)').argParser(
        wholeNumber,
      ),
    )
    .action((_: unknown, command: Command) => {
      // Both commands have --json: commander gives it to the one that was named first.
      const options = command.optsWithGlobals<Options & Omit<AcrossInput, 'by'>>()
      return perform(options, async ({ call, by }) => {
        const run = await auditAcross(call, { ...options, by: await by() }, { signal: interrupted() })
        if (run.differences > 0 || run.state !== 'done') process.exitCode = 1
        return run
      })
    })
}
