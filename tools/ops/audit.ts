import type { Call, Json } from './operator-api'

/** Checks the invariants of the money now, of what is new or of everything; findings are empty when it is whole. */
export const audit = (call: Call, { full }: { full?: boolean }) =>
  call('ledger', 'POST', full ? '/audit?full=true' : '/audit') as Promise<{ findings: Json[] }>
