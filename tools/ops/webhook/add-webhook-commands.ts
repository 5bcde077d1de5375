import type { Group, Options, Perform } from '../command'
import { isoTime } from '../input/option-values'
import { type ReplayInput, webhookList, webhookReplay, webhookResume, webhookShow } from './webhook'

/** The commands of `ops webhook`. */
export function addWebhookCommands(webhook: Group, perform: Perform): void {
  webhook('list <account-id>', 'the endpoints of an account, and what paused them').action((accountId: string, options: Options) =>
    perform(options, ({ call }) => webhookList(call, { accountId })),
  )
  webhook('show <endpoint-id>', 'an endpoint and its latest deliveries').action((endpointId: string, options: Options) =>
    perform(options, ({ call }) => webhookShow(call, { endpointId })),
  )
  webhook('resume <endpoint-id>', 'end the pause of an endpoint; what waited is delivered').action((endpointId: string, options: Options) =>
    perform(options, ({ call }) => webhookResume(call, { endpointId })),
  )
  webhook('replay <endpoint-id>', 'send one delivery again, or those created in a span: at most 1,000, oldest first')
    .option('--delivery <id>', 'this one alone')
    .option('--from <time>', 'created from then on, ISO 8601', isoTime)
    .option('--to <time>', 'created before that, ISO 8601', isoTime)
    .action((endpointId: string, options: Options & Omit<ReplayInput, 'endpointId'>) =>
      perform(options, ({ call }) => webhookReplay(call, { ...options, endpointId })),
    )
}
