import { Budgets } from '@filmgate/proto/operator/budget'
import { Argument } from 'commander'
import type { Group, Options, Perform } from '../command'
import { OpsFault } from '../fault'
import { wholeNumber } from '../input/option-values'
import { type Call, callFor } from '../operator-api'

type Named = { accountId: string; scope: string; id: string | undefined }
type Caps = { total?: number; day?: number; month?: number; timeZone?: string }

/** Caps in credits; each command answers with all budgets of the account as they are then. */
export function addBudgetCommands(budget: Group, perform: Perform): void {
  budget('list <account-id>', 'the budgets of an account, with what is spent and left').action((accountId: string, options: Options) =>
    perform(options, ({ call }) => callFor(call, Budgets, 'gateway', 'GET', `/accounts/${encodeURIComponent(accountId)}/budgets`)),
  )
  budget('set <account-id>', 'replace the caps of the account, of a key or of a member; one that is left out is none')
    .addArgument(scopeArgument())
    .argument('[id]', 'of the key or the member')
    .option('--total <credits>', 'for ever', wholeNumber)
    .option('--day <credits>', 'a day', wholeNumber)
    .option('--month <credits>', 'a month', wholeNumber)
    .option('--time-zone <name>', "where the account's days and months begin at midnight, such as Europe/Berlin")
    .action((accountId: string, scope: string, id: string | undefined, options: Options & Caps) =>
      perform(options, ({ call }) => budgetSet(call, { accountId, scope, id }, options)),
    )
  budget('clear <account-id>', 'remove all caps of the account, of a key or of a member')
    .addArgument(scopeArgument())
    .argument('[id]', 'of the key or the member')
    .action((accountId: string, scope: string, id: string | undefined, options: Options) =>
      perform(options, ({ call }) => callFor(call, Budgets, 'gateway', 'DELETE', pathOf({ accountId, scope, id }))),
    )
}

const scopeArgument = () => new Argument('<scope>', 'whose').choices(['account', 'key', 'member'])

function budgetSet(call: Call, named: Named, { total, day, month, timeZone }: Caps): Promise<Budgets> {
  const caps = { ...(total !== undefined && { total }), ...(day !== undefined && { day }), ...(month !== undefined && { month }) }
  return callFor(call, Budgets, 'gateway', 'PUT', pathOf(named), { ...caps, ...(timeZone !== undefined && { time_zone: timeZone }) })
}

function pathOf({ accountId, scope, id }: Named): string {
  if (scope !== 'account' && id === undefined) throw new OpsFault(`Name the ${scope}: its id comes after "${scope}".`)
  const parts = [accountId, 'budgets', scope, scope === 'account' ? accountId : (id ?? '')]
  return `/accounts/${parts.map(encodeURIComponent).join('/')}`
}
