import type { Command } from 'commander'
import type { Options, Perform } from '../command'
import { isoTime, wholeNumber } from '../input/option-values'
import { type RecoverInput, recover } from './recover'

const waitSecondsDefault = 15

export const addRecoverCommand = (command: Command, perform: Perform): Command =>
  command
    .description(
      'after a restore: has every service publish again what it decided since a moment, and begins an epoch of the books; can be run again',
    )
    .requiredOption('--since <time>', 'a moment before the one that was restored to, ISO 8601, UTC where it names no zone', isoTime)
    .option('--wait-seconds <n>', 'between its steps, for the services to take what was published', wholeNumber, waitSecondsDefault)
    .action((options: Options & RecoverInput) => perform(options, ({ call }) => recover(call, options, console.error)))
