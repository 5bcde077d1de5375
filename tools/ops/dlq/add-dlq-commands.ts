import { Option } from 'commander'
import { type Group, interrupted, type Options, type Perform } from '../command'
import { wholeNumber } from '../input/option-values'
import { type DiscardInput, dlqDiscard, dlqDiscarded, dlqList, dlqReplay, type ListInput } from './dead-letters'

/** Messages that were set aside. */
export function addDlqCommands(dlq: Group, perform: Perform): void {
  const event = () => new Option('--event <id>', 'only the letters of this event')
  const setAsideBy = () => new Option('--group <group>', 'only what this consumer group set aside')
  const atMost = () => new Option('--limit <n>', 'at most so many').argParser(wholeNumber)
  dlq('list [topic]', 'what waits, why, and how often it came back')
    .addOption(atMost())
    .addOption(event())
    .addOption(setAsideBy())
    .action((topic: string | undefined, options: Options & ListInput) =>
      perform(options, ({ broker }) => dlqList(broker(), { ...options, topic })),
    )
  dlq(
    'replay [topic]',
    'send what waits back to the group that set it aside, oldest first, an event once; Ctrl-C ends it after the portion under way',
  )
    .addOption(atMost())
    .addOption(event())
    .addOption(setAsideBy())
    .option('--dry-run', 'only say what would be sent')
    .action((topic: string | undefined, options: Options & ListInput & { dryRun?: boolean }) =>
      perform(options, async ({ broker, by }) =>
        dlqReplay(broker(), { ...options, by: await by(), topic, signal: interrupted(), progress: console.error }),
      ),
    )

  dlq('discard <topic>', 'remove what waits in a topic for good, through the gateway; it is never replayed')
    .addOption(atMost())
    .addOption(event())
    .addOption(setAsideBy())
    .requiredOption('--reason <words>', 'why it is not needed; it is kept')
    .option('--dry-run', 'only say what would be discarded')
    .action((topic: string, options: Options & Omit<DiscardInput, 'topic'>) =>
      perform(options, async ({ call, by }) => dlqDiscard(call, { ...options, by: await by(), topic, signal: interrupted() })),
    )
  dlq('discarded', 'what was discarded last, by whom and why')
    .addOption(atMost())
    .action((options: Options & { limit?: number }) => perform(options, ({ call }) => dlqDiscarded(call, options)))
}
