import { roles } from '@filmgate/kit/environment/operator-environment'
import { Command, Option } from 'commander'
import { accountApprove, accountAwaited } from './ops/account/approve'
import { accountChange, type Change } from './ops/account/change'
import { accountCreate } from './ops/account/create'
import { accountLimits, type LimitOptions } from './ops/account/limits'
import { accountList } from './ops/account/list'
import { accountLowBalance, threshold } from './ops/account/low-balance'
import { accountShow } from './ops/account/show'
import { addAuditCommands } from './ops/audit/add-audit-commands'
import { addBudgetCommands } from './ops/budget/add-budget-commands'
import type { Group, Options, Work } from './ops/command'
import { type DiscardInput, dlqDiscard, dlqDiscarded, dlqList, dlqReplay, type ListInput } from './ops/dead-letters'
import { OpsFault } from './ops/fault'
import { isoTime, pageLength, pageStart, usdAmount, wholeNumber } from './ops/input/option-values'
import { addKeyCommands } from './ops/key/add-key-commands'
import type { ListedPage, ListOptions } from './ops/list-page'
import { modelMargins } from './ops/model/margins'
import { operatorCreate } from './ops/operator/create'
import { operatorLink } from './ops/operator/link'
import { operatorList, operatorMe } from './ops/operator/list'
import { type Call, type Json, operatorApi } from './ops/operator-api'
import { nameFor, nameSent } from './ops/operator-name'
import { addPaymentCommands } from './ops/payments/add-payment-commands'
import { show } from './ops/print/show'
import { providerClose } from './ops/provider/close'
import { type CostsOptions, costsOrInvoice } from './ops/provider/costs-or-invoice'
import { type HoldChange, providerPause, providerResume } from './ops/provider/hold'
import { listedProviders, providerList, providerShow, shownProvider } from './ops/provider/list'
import { addRecoverCommand } from './ops/recover/add-recover-command'
import { addReviewCommands } from './ops/review/add-review-commands'
import { secretsRenew } from './ops/secrets/renew'
import { readSettings } from './ops/settings'
import { taskAcknowledge } from './ops/task/acknowledge'
import { addRestoreOutputsCommand } from './ops/task/add-restore-outputs-command'
import { taskCancel } from './ops/task/cancel'
import { type TaskFilter, taskList } from './ops/task/list'
import { taskRelease } from './ops/task/release'
import { taskReplay } from './ops/task/replay'
import { taskShow } from './ops/task/show'
import { addWebhookCommands } from './ops/webhook/add-webhook-commands'

const program = new Command('bun run ops').description('What an operator does with a running Filmgate.').showHelpAfterError()

async function perform(options: Options, work: Work): Promise<void> {
  const { operator, broker, token, localConsole } = readSettings(options.instance)
  const call: Call = (...request) => operatorApi(operator(), nameSent(options.by, token))(...request)
  const answer = await work({ call, broker, localConsole, by: () => nameFor(call, options.by, token) })
  show((answer ?? { done: true }) as Json, options.json ?? false)
}

/** Longer than the sightings that prove an absence take. */
const closedMinutesDefault = 15

/** A page with `next_cursor` where JSON is asked for; for a person the rows, and on standard error how to go on. */
function shownPage(options: Options, page: ListedPage): unknown {
  if (options.json) return page
  if (page.next_cursor) console.error(`There is more: the same command with --cursor ${page.next_cursor}`)
  return page.data
}

function group(name: string, description: string): Group {
  const parent = program.command(name).description(description)
  return (verb, description) => withCommonOptions(parent.command(verb).description(description))
}

const withCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'print JSON')
    .addOption(
      new Option('--by <name>', 'who does this; kept with the act (default: whose token it is, or the login name)').env(
        'FILMGATE_OPERATOR',
      ),
    )
    .addOption(new Option('--instance <name>', 'the local stack meant').default('dev').env('FILMGATE_INSTANCE'))

const account = group('account', 'accounts and their credits')
account('create', 'open an account with paid credits and its first key')
  .requiredOption('--name <name>', 'whose it is')
  .requiredOption('--credits <n>', 'paid credits', wholeNumber)
  .option('--starter-credits <n>', 'sign-up credits, which never fund the API', wholeNumber)
  .action((options: Options & { name: string; credits: number; starterCredits?: number }) =>
    perform(options, ({ call }) => accountCreate(call, options)),
  )
account('list', 'accounts, newest first')
  .option('--name <words>', 'only those whose name has these words')
  .addOption(pageLength())
  .addOption(pageStart())
  .action((options: Options & ListOptions & { name?: string }) =>
    perform(options, async ({ call }) => shownPage(options, await accountList(call, options))),
  )
account('show <account-id>', "an account's balances, keys, grants and debits, unfinished tasks, and what operators did to it").action(
  (accountId: string, options: Options) => perform(options, ({ call }) => accountShow(call, { accountId })),
)
for (const [verb, description] of [
  ['grant', 'give credits; exit 1 unless it was applied'],
  ['debit', 'take credits back, never below zero; exit 1 unless it was applied'],
] as const)
  account(`${verb} <account-id>`, description)
    .requiredOption('--credits <n>', 'how many', wholeNumber)
    .addOption(new Option('--balance <balance>', 'which balance').choices(['paid', 'starter']).default('paid'))
    .requiredOption('--reason <words>', 'why; it stays in the ledger')
    .option('--id <id>', `what makes the ${verb} count once: repeat a command that timed out with the id that it printed`)
    .action((accountId: string, options: Options & Omit<Change, 'accountId' | 'kind' | 'by'>) =>
      perform(options, async ({ call, by }) => {
        const change = await accountChange(call, { ...options, by: await by(), accountId, kind: verb })
        if (change.state !== 'applied') process.exitCode = 1
        return change
      }),
    )

account('low-balance <account-id>', 'tell webhooks of the account (balance.low) when its paid balance falls below a number of credits')
  .argument('<credits>', 'how many, or "never"', threshold)
  .action((accountId: string, credits: number | null, options: Options) =>
    perform(options, ({ call }) => accountLowBalance(call, { accountId, credits })),
  )
account('limits <account-id>', 'limits of the account in place of the services’ settings; what is not named stays')
  .option('--requests <n>', 'requests a minute of each of its keys', wholeNumber)
  .option('--unfinished <n>', 'unfinished tasks at once', wholeNumber)
  .option('--reset', 'the services’ settings hold again')
  .requiredOption('--reason <words>', 'why; it is kept with the act')
  .action((accountId: string, options: Options & LimitOptions) => perform(options, ({ call }) => accountLimits(call, accountId, options)))
account('awaiting', 'grants and debits above the limit of one operator (FILMGATE_GRANT_LIMIT), which wait for a second').action(
  (options: Options) => perform(options, ({ call }) => accountAwaited(call)),
)
account('approve <change-id>', 'approve a grant or a debit that another operator asked for; exit 1 unless it was applied').action(
  (id: string, options: Options) =>
    perform(options, async ({ call }) => {
      const change = await accountApprove(call, { id })
      if (change.state !== 'applied') process.exitCode = 1
      return change
    }),
)

addKeyCommands(group('key', 'API keys'), perform)

addBudgetCommands(group('budget', 'caps in credits of accounts, keys and members'), perform)

const task = group('task', 'generations')
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

addRestoreOutputsCommand(task, perform)

const review = group('review', 'tasks whose answer only a person can find')
addReviewCommands(review, perform, interrupted)

const provider = group('provider', 'providers: what they serve, and whether what they do not know of is believed')
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
provider('close <provider>', 'believe for some minutes that what this provider does not know of is nothing: once its console says so, too')
  .requiredOption('--reason <words>', 'how you know; it is kept')
  .option('--minutes <n>', 'for how long, at most a day', wholeNumber, closedMinutesDefault)
  .action((name: string, options: Options & { reason: string; minutes: number }) =>
    perform(options, ({ call }) => providerClose(call, { ...options, provider: name })),
  )

provider('costs', 'what providers charged and what it brought, by provider and model; what is not known is named, and is in no margin')
  .requiredOption('--from <time>', 'at orders made from then on, ISO 8601, UTC where it names no zone', isoTime)
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

group('secrets', 'secrets of the services that are rotated (docs/secrets.md)')(
  'renew',
  'encrypt anew what other values than the first encrypt, and count what is left under them',
).action((options: Options) => perform(options, ({ call }) => secretsRenew(call)))

addWebhookCommands(group('webhook', 'webhook endpoints of accounts'), perform)

addPaymentCommands(group('payments', 'what people paid, against Stripe'), perform, interrupted)

const model = group('model', 'models: what their prices leave')
model(
  'margins',
  'price, cost and margin by model, resolution and provider, each at what leaves the least; exit 1 where a price is below a cost and the price book names no exception',
)
  .option('--model <model>', 'of this model alone')
  .option('--provider <provider>', 'of this provider alone')
  .option('--csv', 'print CSV')
  .action((options: Options & { model?: string; provider?: string; csv?: boolean }) =>
    perform(options, async ({ call }) => {
      const { shown, negative } = await modelMargins(call, options)
      if (negative) process.exitCode = 1
      return shown
    }),
  )

const operators = group('operator', 'operators: whose tokens open what')
operators(
  'create <name>',
  'a token of its own for an operator, shown this once, and the line of it for the file of operators; the name is an e-mail address for whoever grants above FILMGATE_GRANT_LIMIT',
)
  .addOption(new Option('--role <role>', 'what it opens, and what those before it open').choices(roles).makeOptionMandatory())
  .option('--acts-for-others', 'for a machine that people have signed in to: it says for whom it acts')
  .option('--file <path>', 'put its digest into this file of operators, too')
  .action((name: string, options: Options & { role: string; actsForOthers?: boolean; file?: string }) =>
    perform(options, async () => operatorCreate({ ...options, name })),
  )
operators('list', 'whose tokens open each service now, with their roles').action((options: Options) =>
  perform(options, ({ call }) => operatorList(call)),
)
operators('me', 'whose token this is, and its role at each service').action((options: Options) =>
  perform(options, ({ call }) => operatorMe(call)),
)

operators('link', 'a new link that signs in the person of a local stack (`bun start`), and whose it is').action((options: Options) =>
  perform(options, ({ localConsole }) => operatorLink(localConsole())),
)

const dlq = group('dlq', 'messages that were set aside')
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

/** The first Ctrl-C; a second one kills. */
function interrupted(): AbortSignal {
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  return interrupt.signal
}

addAuditCommands(
  program.command('audit').description('check the invariants of the money; exit 1 when one is broken'),
  withCommonOptions,
  perform,
  interrupted,
)

addRecoverCommand(withCommonOptions(program.command('recover')), perform)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof OpsFault)) throw error
  console.error(error.message)
  process.exitCode = 1
}
