import { type Html, html } from '@filmgate/kit/http/html'
import { Elysia } from 'elysia'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { describeAuditEntry } from '../audit-log/describe-entry'
import { type AuditEntry, listAuditEntries } from '../audit-log/list-repository'
import { answerPage } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { page } from '../layout/page'
import { pages, table } from '../layout/table'

const pageRows = 50

/** The audit log of an account, for its owners. */
export const auditLogRoute = (deps: MemberDeps) =>
  new Elysia({ name: 'audit-log', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/members/log', async function getAuditLog({ query, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const cursor = /^\d{1,15}$/.test(query.cursor ?? '') ? (query.cursor ?? '') : ''
      const rows = await listAuditEntries(deps.sql, member.accountId, {
        beforeId: cursor === '' ? null : Number(cursor),
        limit: pageRows + 1,
      })
      const entries = rows.slice(0, pageRows)
      const next = rows.length > pageRows ? String(entries.at(-1)?.id) : null
      return answerPage(set, auditLogPage({ person, member, memberships }, entries, { cursor, next }))
    })

const auditLogPage = (context: MemberContext, entries: AuditEntry[], { cursor, next }: { cursor: string; next: string | null }): string => {
  const { person, member, memberships } = context
  const path = accountPath(member.accountId, 'members')
  return page({
    title: 'Audit log',
    person,
    account: { member, memberships, section: 'members' },
    content: html`<p><a href="${path}">Members</a></p>
${entries.length === 0 ? html`<div class="empty"><p>No entries yet.</p></div>` : entryTable(entries)}
${pages(`${path}/log`, { cursor, next })}`,
  })
}

const entryTable = (entries: AuditEntry[]): Html =>
  table(
    'Audit log, newest first',
    [{ title: 'Action' }, { title: 'Person' }, { title: 'Time' }, { title: 'IP address' }],
    entries.map(entry => [
      describeAuditEntry(entry),
      entry.email,
      time(entry.at),
      html`<span class="mono nowrap">${entry.address ?? '–'}</span>`,
    ]),
  )
