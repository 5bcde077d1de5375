import { type ListOptions, listPage } from '../list-page'
import type { Call } from '../operator-api'

export type TaskFilter = { account?: string; status?: string; billing?: string; model?: string; since?: string; until?: string }

/** Tasks of all accounts, newest first, as the gateway has them. */
export const taskList = (call: Call, filter: ListOptions & TaskFilter) => {
  const { account, status, billing, model, since, until, limit, cursor } = filter
  return listPage(call, '/tasks', { account, status, billing, model, since, until, limit, cursor })
}
