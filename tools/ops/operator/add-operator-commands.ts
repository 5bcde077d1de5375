import { roles } from '@filmgate/kit/environment/operator-environment'
import { Option } from 'commander'
import type { Group, Options, Perform } from '../command'
import { operatorCreate } from './create'
import { operatorLink } from './link'
import { operatorList, operatorMe } from './list'

/** Operators: whose tokens open what. */
export function addOperatorCommands(operator: Group, perform: Perform): void {
  operator(
    'create <name>',
    'a token of its own for an operator, shown this once, and the line of it for the file of operators; the name is an e-mail address for whoever grants above FILMGATE_GRANT_LIMIT',
  )
    .addOption(new Option('--role <role>', 'what it opens, and what those before it open').choices(roles).makeOptionMandatory())
    .option('--acts-for-others', 'for a machine that people have signed in to: it says for whom it acts')
    .option('--file <path>', 'put its digest into this file of operators, too')
    .action((name: string, options: Options & { role: string; actsForOthers?: boolean; file?: string }) =>
      perform(options, async () => operatorCreate({ ...options, name })),
    )
  operator('list', 'whose tokens open each service now, with their roles').action((options: Options) =>
    perform(options, ({ call }) => operatorList(call)),
  )
  operator('me', 'whose token this is, and its role at each service').action((options: Options) =>
    perform(options, ({ call }) => operatorMe(call)),
  )

  operator('link', 'a new link that signs in the person of a local stack (`bun start`), and whose it is').action((options: Options) =>
    perform(options, ({ localConsole }) => operatorLink(localConsole())),
  )
}
