import { Command, Option } from 'commander'
import { addAccountCommands } from './ops/account/add-account-commands'
import { addAuditCommands } from './ops/audit/add-audit-commands'
import { addBudgetCommands } from './ops/budget/add-budget-commands'
import type { Group, Options, Work } from './ops/command'
import { addDlqCommands } from './ops/dlq/add-dlq-commands'
import { OpsFault } from './ops/fault'
import { addKeyCommands } from './ops/key/add-key-commands'
import { addModelCommands } from './ops/model/add-model-commands'
import { addOperatorCommands } from './ops/operator/add-operator-commands'
import { type Call, type Json, operatorApi } from './ops/operator-api'
import { nameFor, nameSent } from './ops/operator-name'
import { addPaymentCommands } from './ops/payments/add-payment-commands'
import { show } from './ops/print/show'
import { addProviderCommands } from './ops/provider/add-provider-commands'
import { addRecoverCommand } from './ops/recover/add-recover-command'
import { addRequestCommands } from './ops/request/add-request-commands'
import { addReviewCommands } from './ops/review/add-review-commands'
import { addSecretsCommands } from './ops/secrets/add-secrets-commands'
import { readSettings } from './ops/settings'
import { addTaskCommands } from './ops/task/add-task-commands'
import { addWebhookCommands } from './ops/webhook/add-webhook-commands'

const program = new Command('bun run ops').description('What an operator does with a running Filmgate.').showHelpAfterError()

async function perform(options: Options, work: Work): Promise<void> {
  const { operator, broker, token, localConsole } = readSettings(options.instance)
  const call: Call = (...request) => operatorApi(operator(), nameSent(options.by, token))(...request)
  const answer = await work({ call, broker, localConsole, by: () => nameFor(call, options.by, token) })
  show((answer ?? { done: true }) as Json, options.json ?? false)
}

function group(name: string, description: string): Group {
  const parent = program.command(name).description(description)
  return (verb, description) => withCommonOptions(parent.command(verb).description(description))
}

const withCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'print JSON')
    .addOption(
      new Option('--by <name>', 'who does this; kept with the action (default: whose token it is, or the login name)').env(
        'FILMGATE_OPERATOR',
      ),
    )
    .addOption(new Option('--instance <name>', 'the local stack meant').default('dev').env('FILMGATE_INSTANCE'))

addAccountCommands(group('account', 'accounts and their credits'), perform)
addKeyCommands(group('key', 'API keys'), perform)
addBudgetCommands(group('budget', 'caps in credits of accounts, keys and members'), perform)
addTaskCommands(group('task', 'generations'), perform)
addRequestCommands(group('request', 'requests of clients'), perform)
addReviewCommands(group('review', 'tasks whose answer only a person can find'), perform)
addProviderCommands(group('provider', 'providers: what they serve, and whether what they do not know of is believed'), perform)
addSecretsCommands(group('secrets', 'secrets of the services that are rotated (docs/secrets.md)'), perform)
addWebhookCommands(group('webhook', 'webhook endpoints of accounts'), perform)
addPaymentCommands(group('payments', 'what people paid, against Stripe'), perform)
addModelCommands(group('model', 'models: what their prices leave'), perform)
addOperatorCommands(group('operator', 'operators: whose tokens open what'), perform)
addDlqCommands(group('dlq', 'messages that were set aside'), perform)
addAuditCommands(
  program.command('audit').description('check the invariants of the money; exit 1 when one is broken'),
  withCommonOptions,
  perform,
)

addRecoverCommand(withCommonOptions(program.command('recover')), perform)

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof OpsFault)) throw error
  console.error(error.message)
  process.exitCode = 1
}
