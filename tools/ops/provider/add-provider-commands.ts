import { Option } from 'commander'
import type { Group, Options, Perform } from '../command'
import { isoTime, pageStart, usdAmount, wholeNumber } from '../input/option-values'
import { shownPage } from '../list-page'
import { type CostsOptions, costsOrInvoice } from './costs-or-invoice'
import { type AttemptFilter, outcomesTable, type Period, providerAttempts, providerOutcomes } from './outcomes'
import {
  type HoldChange,
  listedProviders,
  providerClose,
  providerList,
  providerPause,
  providerResume,
  providerShow,
  shownProvider,
} from './provider'

const from = ['--from <time>', 'made from then on, ISO 8601 (default: a day before the end)', isoTime] as const
const to = ['--to <time>', 'made before that, ISO 8601 (default: now); 31 days at most', isoTime] as const
/** Longer than the sightings that prove an absence take. */
const closedMinutesDefault = 15

/** Providers: what they serve, and whether what they do not know of is believed. */
export function addProviderCommands(provider: Group, perform: Perform): void {
  provider(
    'list',
    'each provider: whether it takes our key, whether its absences count and why, its breaker, and what keeps new orders from it',
  ).action((options: Options) =>
    perform(options, async ({ call }) => {
      const providers = await providerList(call)
      return options.json ? providers : listedProviders(providers)
    }),
  )
  provider('show <provider>', 'the same of one provider, with its models, what of each it has no mapping for, and what it offers').action(
    (name: string, options: Options) =>
      perform(options, async ({ call }) => {
        const found = await providerShow(call, name)
        return options.json ? found : shownProvider(found)
      }),
  )
  for (const [verb, description, change] of [
    ['pause', 'send it no new orders until it is resumed; accepted tasks go on', providerPause],
    ['resume', 'send it new orders again; ends what keeps them from it, whether an operator or the dispatcher began it', providerResume],
  ] as const)
    provider(`${verb} <provider>`, description)
      .option('--model <model>', 'only of this model')
      .requiredOption('--reason <words>', 'why; it is kept')
      .action((name: string, options: Options & Omit<HoldChange, 'provider'>) =>
        perform(options, ({ call }) => change(call, { ...options, provider: name })),
      )
  provider(
    'close <provider>',
    'believe for some minutes that what this provider does not know of is nothing: once its console says so, too',
  )
    .requiredOption('--reason <words>', 'how you know; it is kept')
    .option('--minutes <n>', 'for how long, at most a day', wholeNumber, closedMinutesDefault)
    .action((name: string, options: Options & { reason: string; minutes: number }) =>
      perform(options, ({ call }) => providerClose(call, { ...options, provider: name })),
    )

  provider('outcomes', 'what became of attempts, by provider and model: how many were completed and in what time, and why others failed')
    .option(...from)
    .option(...to)
    .action((options: Options & Period) =>
      perform(options, async ({ call }) => {
        const outcomes = await providerOutcomes(call, options)
        return options.json ? outcomes : outcomesTable(outcomes)
      }),
    )
  provider('attempts', 'the attempts behind a count of the outcomes, newest first, with what the provider answered')
    .option(...from)
    .option(...to)
    .option('--provider <provider>', 'of this provider; none: of orders that were refused without asking one')
    .option('--model <model>', 'only of this model')
    .addOption(new Option('--state <state>', 'open: not ended').choices(['open', 'completed', 'failed', 'refused']))
    .option('--code <code>', 'only with this error code')
    .addOption(pageStart())
    .action((options: Options & AttemptFilter) =>
      perform(options, async ({ call }) => shownPage(options, await providerAttempts(call, options))),
    )
  provider('costs', 'what providers charged and what it brought, by provider and model; what is not known is named, and is in no margin')
    .option('--from <time>', 'at orders made from then on, ISO 8601, UTC where it names no zone (default: 30 days before the end)', isoTime)
    .option('--to <time>', 'at orders made before that, ISO 8601 (default: now)', isoTime)
    .option('--provider <provider>', 'of this provider alone')
    .option('--csv', 'print CSV')
    .option('--invoice <file>', "hold the provider's invoice, a CSV, against our attempts instead; exit 1 where they differ")
    .option('--id-column <name>', "the invoice's column with the provider's task id", 'provider_task_id')
    .option('--amount-column <name>', 'its column with US dollars', 'amount')
    .option('--tolerance-usd <usd>', 'amounts on it that differ by no more are alike', usdAmount, 0)
    .action((options: Options & CostsOptions) =>
      perform(options, async ({ call }) => {
        const { shown, differs } = await costsOrInvoice(call, options)
        if (differs) process.exitCode = 1
        return shown
      }),
    )
}
