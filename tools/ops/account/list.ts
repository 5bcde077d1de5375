import { type ListOptions, listPage } from '../list-page'
import type { Call } from '../operator-api'

/** Accounts, newest first; of those with a name, whose name has these words. */
export const accountList = (call: Call, { name, limit, cursor }: ListOptions & { name?: string }) =>
  listPage(call, '/accounts', { name, limit, cursor })
