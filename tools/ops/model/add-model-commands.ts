import type { Group, Options, Perform } from '../command'
import { modelMargins } from './margins'

/** Models: what their prices leave. */
export function addModelCommands(model: Group, perform: Perform): void {
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
}
