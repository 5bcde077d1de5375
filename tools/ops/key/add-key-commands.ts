import type { Group, Options, Perform } from '../command'
import { type KeyChanges, keyCreate, keyList, keyRevoke, keyRotate, keyShow, keyUpdate } from './key'

/** API keys of accounts. */
export function addKeyCommands(key: Group, perform: Perform): void {
  key('create <account-id>', 'a further key')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires-at <time>', 'when it ends, RFC 3339 such as 2027-01-31T08:30:00Z')
    .option('--models <model...>', 'the only models it may ask for')
    .option('--addresses <range...>', 'the only addresses it works from, such as 203.0.113.0/24')
    .action((accountId: string, options: Options & KeyChanges & { name: string; expiresAt?: string }) =>
      perform(options, ({ call }) => keyCreate(call, { ...options, accountId })),
    )
  key('list <account-id>', 'the keys of an account').action((accountId: string, options: Options) =>
    perform(options, ({ call }) => keyList(call, { accountId })),
  )
  key('show <key>', 'a key and its account, by its id or by how it begins (sk_live_ and twelve characters)').action(
    (name: string, options: Options) => perform(options, ({ call }) => keyShow(call, { key: name })),
  )
  key('update <key-id>', 'bind a key to models or addresses within 5 s; what is not named stays')
    .option('--models <model...>', 'the only models it may ask for')
    .option('--any-model', 'it may ask for every model')
    .option('--addresses <range...>', 'the only addresses it works from, such as 203.0.113.0/24')
    .option('--any-address', 'it works from every address')
    .action((keyId: string, options: Options & KeyChanges) => perform(options, ({ call }) => keyUpdate(call, { ...options, keyId })))
  key('revoke <key-id>', 'end a key everywhere within 5 s').action((keyId: string, options: Options) =>
    perform(options, ({ call }) => keyRevoke(call, { keyId })),
  )
  key('rotate <key-id>', 'a new secret for a key; each former one works on for a day (FILMGATE_KEY_OVERLAP_SECONDS of the gateway)').action(
    (keyId: string, options: Options) => perform(options, ({ call }) => keyRotate(call, { keyId })),
  )
}
