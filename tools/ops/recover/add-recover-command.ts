import type { Command } from 'commander'
import type { Options, Perform } from '../command'
import { isoTime } from '../input/option-values'
import { recoveryBroker } from './broker'
import { type RecoverInput, recover } from './recover'

export const addRecoverCommand = (command: Command, perform: Perform): Command =>
  command
    .description(
      'after a restore: has every service publish again what it decided since a moment, and begins an epoch of the books; can be run again',
    )
    .requiredOption('--since <time>', 'a moment before the one that was restored to, ISO 8601, UTC where it names no zone', isoTime)
    .action((options: Options & RecoverInput) =>
      perform(options, async ({ call, broker, by }) => {
        // Services refuse it without a name; what comes before them would be done in vain.
        await by()
        return recover(call, recoveryBroker(broker()), options, console.error)
      }),
    )
