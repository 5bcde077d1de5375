import { RequestRow } from '@filmgate/proto/operator/account'
import { Option } from 'commander'
import type { Group, Options, Perform } from '../command'
import { OpsFault } from '../fault'
import { isoTime, pageLength, pageStart } from '../input/option-values'
import { type ListOptions, listPage, shownPage } from '../list-page'
import type { Call } from '../operator-api'

type RequestFilter = { account?: string; id?: string; result?: string; code?: string; key?: string; since?: string; until?: string }

/** Requests of clients. */
export function addRequestCommands(request: Group, perform: Perform): void {
  request('list', 'requests of an account, or those with a request ID: what changed something or was refused in 30 days, newest first')
    .option('--account <account-id>', 'of this account')
    .option('--id <request-id>', 'with this X-Request-Id')
    .addOption(new Option('--result <result>', 'what came of it').choices(['accepted', 'refused']))
    .option('--code <code>', 'refused with this code')
    .option('--key <key-id>', 'of this API key')
    .option('--since <time>', 'came from then on, ISO 8601', isoTime)
    .option('--until <time>', 'came before that, ISO 8601', isoTime)
    .addOption(pageLength())
    .addOption(pageStart())
    .action((options: Options & ListOptions & RequestFilter) =>
      perform(options, async ({ call }) => shownPage(options, await requestList(call, options))),
    )
}

function requestList(call: Call, filter: ListOptions & RequestFilter) {
  const { account, id: request, result, code, key: key_id, since: from, until: to, limit, cursor } = filter
  if (account === undefined && request === undefined) throw new OpsFault('Name an account by --account, or a request by --id.')
  return listPage(call, RequestRow, '/requests', { account, request, result, code, key_id, from, to, limit, cursor })
}
