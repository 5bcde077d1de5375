import { Audit } from '@filmgate/proto/operator/books'
import { type Call, callFor } from '../operator-api'

/** Checks the invariants of the money now, of what is new or of everything; findings are empty when it is whole. */
export const auditBooks = (call: Call, { full }: { full?: boolean }) =>
  callFor(call, Audit, 'ledger', 'POST', full ? '/audit?full=true' : '/audit')
