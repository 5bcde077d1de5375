import { Option } from 'commander'
import type { Group, Options, Perform } from '../command'
import { pageLength, pageStart, wholeNumber } from '../input/option-values'
import { type ListOptions, shownPage } from '../list-page'
import {
  accountApprove,
  accountAwaited,
  accountChange,
  accountCreate,
  accountLimits,
  accountList,
  accountLowBalance,
  accountShow,
  type Change,
  type LimitOptions,
  threshold,
} from './account'

/** Accounts and their credits. */
export function addAccountCommands(account: Group, perform: Perform): void {
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
    .requiredOption('--reason <words>', 'why; it is kept with the action')
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
}
