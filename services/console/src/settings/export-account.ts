import { listMembers } from '../accounts/member-repository'
import { listActs } from '../acts/list-repository'
import { listPurchases } from '../billing/purchases/purchase-repository'
import type { Actor, KeyView, Page } from '../gateway/gateway'
import { listInvitations } from '../invitations/invitation-repository'
import type { SettingsVerbDeps } from './rename-account'

/** Rows of a list of our own that are read at once. */
const rowsAtOnce = 500
/** What the gateway lists page by page, with the longest page that it gives. */
const lists = { task: 'tasks?limit=100', usage: 'usage?limit=500', credit_change: 'credit-changes?limit=500' }

/** Everything of an account, an object a line: `type` says what it is. Keys are without their secrets, which nobody has. */
export async function* exportAccount(
  { sql, gateway }: SettingsVerbDeps,
  { actor, accountId, signal }: { actor: Actor; accountId: string; signal: AbortSignal },
): AsyncGenerator<object> {
  const path = `/accounts/${accountId}`
  yield { type: 'account', ...(await gateway.get<object>(actor, path, { signal })) }
  for (const member of await listMembers(sql, accountId)) yield { type: 'member', ...member }
  for (const invitation of await listInvitations(sql, accountId)) yield { type: 'invitation', ...invitation }
  for (const key of (await gateway.get<{ data: KeyView[] }>(actor, `${path}/keys`, { signal })).data) yield { type: 'key', ...key }
  for (const [type, list] of Object.entries(lists)) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const asked: string = `${path}/${list}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const page: Page<object> = await gateway.get<Page<object>>(actor, asked, { signal })
      for (const row of page.data) yield { type, ...row }
      cursor = page.next_cursor
    }
  }
  yield* pages(
    'purchase',
    (before: string | undefined) => listPurchases(sql, accountId, rowsAtOnce, before),
    // Who has these may pay, or look into a payment.
    ({ checkoutUrl: _url, sessionId: _session, ...purchase }) => purchase,
  )
  yield* pages('act', (beforeId: number | undefined) => listActs(sql, accountId, { beforeId: beforeId ?? null, limit: rowsAtOnce }))
}

/** A list of our own from its newest on, a page at a time. */
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
