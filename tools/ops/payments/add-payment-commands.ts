import { type Group, interrupted, type Options, type Perform } from '../command'
import { isoTime } from '../input/option-values'
import { paymentsReconcile, paymentsReconciliations, type ReconcileInput } from './reconcile'

/** The commands of `ops payments`. */
export function addPaymentCommands(payments: Group, perform: Perform): void {
  payments(
    'reconcile',
    'read Stripe’s charges, refunds and disputes of a period and apply what no event told; waits for its end; exit 1 where something differs still',
  )
    .requiredOption('--from <time>', 'created from then on, ISO 8601, UTC where it names no zone', isoTime)
    .option('--to <time>', 'created before that, ISO 8601 (default: 15 minutes ago: events of what is newer may be on their way)', isoTime)
    .option('--dry-run', 'only say what would be applied')
    .requiredOption('--reason <words>', 'why; it is kept')
    .action((options: Options & Omit<ReconcileInput, 'by'>) =>
      perform(options, async ({ call, by }) => {
        const input = { ...options, by: await by() }
        const run = await paymentsReconcile(call, input, { signal: interrupted(), progress: console.error })
        if (run.differences > 0 || run.state !== 'done') process.exitCode = 1
        return run
      }),
    )
  payments('reconciliations', 'the latest, by the clock and by hand').action((options: Options) =>
    perform(options, ({ call }) => paymentsReconciliations(call)),
  )
}
