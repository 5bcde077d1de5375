import { listMembers } from '../accounts/member-repository'
import { listAuditEntries } from '../audit-log/list-repository'
import { listPurchases } from '../billing/purchases/purchase-repository'
import type { Actor, KeyView, Page } from '../gateway/gateway'
import { listInvitations } from '../invitations/invitation-repository'
import type { AccountChangeDeps } from './rename-account'

/** Rows per read of our own lists. */
const rowsAtOnce = 500
/** The gateway's lists, with their maximum page size. */
const lists = {
  task: 'tasks?limit=100',
  usage: 'usage?limit=500',
  credit_change: 'credit-changes?limit=500',
  request: 'requests?limit=500',
}

/** All data of an account, one object per line with its `type`. Keys have no secrets. */
export async function* exportAccount(
  { sql, gateway }: AccountChangeDeps,
  { actor, accountId, signal }: { actor: Actor; accountId: string; signal: AbortSignal },
): AsyncGenerator<object> {
  const path = `/accounts/${accountId}`
  yield { type: 'account', ...(await gateway.get<object>(actor, path, { signal })) }
  for (const member of await listMembers(sql, accountId)) yield { type: 'member', ...member }
  for (const invitation of await listInvitations(sql, accountId)) yield { type: 'invitation', ...invitation }
  for (const key of (await gateway.get<{ data: KeyView[] }>(actor, `${path}/keys`, { signal })).data) yield { type: 'key', ...key }
  for (const [type, list] of Object.entries(lists)) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const listPath: string = `${path}/${list}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const page: Page<object> = await gateway.get<Page<object>>(actor, listPath, { signal })
      for (const row of page.data) yield { type, ...row }
      cursor = page.next_cursor
    }
  }
  yield* pages(
    'purchase',
    (before: string | undefined) => listPurchases(sql, accountId, rowsAtOnce, before),
    // These would allow paying or reading a payment.
    ({ checkoutUrl: _url, sessionId: _session, ...purchase }) => purchase,
  )
  yield* pages(
    'act',
    (beforeId: number | undefined) => listAuditEntries(sql, accountId, { beforeId: beforeId ?? null, limit: rowsAtOnce }),
    ({ id, email, action: act, ...entry }) => ({ id, email, act, ...entry }),
  )
}

/** One of our own lists, newest first, page by page. */
async function* pages<Id, Row extends { id: Id }>(
  type: string,
  read: (before: Id | undefined) => PromiseLike<readonly Row[]>,
  view: (row: Row) => object = row => row,
): AsyncGenerator<object> {
  for (let before: Id | undefined, isLast = false; !isLast; ) {
    const rows = await read(before)
    for (const row of rows) yield { type, ...view(row) }
    before = rows.at(-1)?.id
    isLast = rows.length < rowsAtOnce
  }
}
