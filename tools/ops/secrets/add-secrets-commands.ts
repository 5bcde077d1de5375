import type { Group, Options, Perform } from '../command'
import { secretsRenew } from './renew'

/** Secrets of the services that are rotated. */
export function addSecretsCommands(secrets: Group, perform: Perform): void {
  secrets('renew', 'encrypt anew what other values than the first encrypt, and count what is left under them').action((options: Options) =>
    perform(options, ({ call }) => secretsRenew(call)),
  )
}
