import { Option } from 'commander'
import { type Group, interrupted, type Options, type Perform } from '../command'
import { isoTime } from '../input/option-values'
import { type BulkInput, reviewApprove, reviewEnd, reviewEnds } from './end'
import { type ReviewFilter, reviewAccept, reviewList, reviewRefund, reviewRetry } from './review'

/** Tasks whose answer only a person can find. */
export function addReviewCommands(review: Group, perform: Perform): void {
  addSingle(review, perform)
  addBulk(review, perform)
}

const cause = () => new Option('--cause <words>', 'only those whose cause has these words')

function addSingle(review: Group, perform: Perform): void {
  review('list', 'what waits for a person, oldest first')
    .option('--provider <provider>', 'only of this provider')
    .option('--since <time>', 'in review since then or later, ISO 8601', isoTime)
    .option('--until <time>', 'in review since before that, ISO 8601', isoTime)
    .addOption(cause())
    .action((options: Options & ReviewFilter) => perform(options, ({ call }) => reviewList(call, options, console.error)))
  review('accept <task-id>', 'the provider did accept it')
    .requiredOption('--provider-task-id <id>', "the provider's own id of it")
    .requiredOption('--reason <words>', 'how you know')
    .option('--force', 'also where the provider repeats no id of ours beside it and should: you saw the prompt there')
    .action((taskId: string, options: Options & { providerTaskId: string; reason: string; force?: boolean }) =>
      perform(options, ({ call }) => reviewAccept(call, { ...options, taskId })),
    )
  review('retry <task-id>', 'ask the provider again, or copy its output again, now')
    .requiredOption('--reason <words>', 'what has changed')
    .action((taskId: string, options: Options & { reason: string }) =>
      perform(options, ({ call }) => reviewRetry(call, { ...options, taskId })),
    )
  review('refund <task-id>', 'the provider never made it: give the credits back')
    .requiredOption('--reason <words>', 'how you know')
    .action((taskId: string, options: Options & { reason: string }) =>
      perform(options, ({ call }) => reviewRefund(call, { ...options, taskId })),
    )
}

function addBulk(review: Group, perform: Perform): void {
  review(
    'end',
    'end all reviews of a provider that were opened in a time; Ctrl-C ends it after the batch under way; exit 1 unless all are done',
  )
    .requiredOption('--provider <provider>', 'of this provider')
    .requiredOption('--from <time>', 'in review since then or later, ISO 8601, UTC where it names no zone', isoTime)
    .requiredOption('--to <time>', 'in review since before that, ISO 8601, not in the future', isoTime)
    .addOption(cause())
    .addOption(
      new Option(
        '--outcome <outcome>',
        'retry: ask the provider again; refund: it made none of them; accept: it has them, under ids that are known',
      )
        .choices(['retry', 'refund', 'accept'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <words>', 'how you know; it is kept with each of them')
    .option('--dry-run', 'only say how many, of which models, and what would be left out')
    .action((options: Options & BulkInput) =>
      perform(options, async ({ call }) => {
        const answer = await reviewEnd(call, options, { signal: interrupted(), progress: console.error })
        if ('state' in answer && answer.state !== 'done') process.exitCode = 1
        return answer
      }),
    )
  review('ends', 'reviews that were ended together: what waits for a second operator or was interrupted first, then the newest').action(
    (options: Options) => perform(options, ({ call }) => reviewEnds(call)),
  )
  review(
    'approve <id>',
    'approve what another operator asked for above FILMGATE_BULK_REVIEW_LIMIT, and end those reviews; exit 1 unless all are done',
  ).action((id: string, options: Options) =>
    perform(options, async ({ call }) => {
      const bulk = await reviewApprove(call, { id }, { signal: interrupted(), progress: console.error })
      if (bulk.state !== 'done') process.exitCode = 1
      return bulk
    }),
  )
}
