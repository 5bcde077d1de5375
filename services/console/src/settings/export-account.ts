import { listMembers } from '../accounts/member-repository'
import { listActs } from '../acts/list-repository'
import type { Actor, KeyView, Page } from '../gateway/gateway'
import { listInvitations } from '../invitations/invitation-repository'
import type { SettingsVerbDeps } from './rename-account'

const actsAtOnce = 500

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
  const lists = { task: 'tasks?limit=100', usage: 'usage?limit=500' }
  for (const [type, list] of Object.entries(lists)) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const asked: string = `${path}/${list}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const page: Page<object> = await gateway.get<Page<object>>(actor, asked, { signal })
      for (const row of page.data) yield { type, ...row }
      cursor = page.next_cursor
    }
  }
  for (let beforeId: number | null | undefined = null; beforeId !== undefined; ) {
    const acts: Awaited<ReturnType<typeof listActs>> = await listActs(sql, accountId, { beforeId, limit: actsAtOnce })
    for (const act of acts) yield { type: 'act', ...act }
    beforeId = acts.length === actsAtOnce ? acts.at(-1)?.id : undefined
  }
}
