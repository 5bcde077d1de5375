import { csvLine, csvRows } from '@filmgate/kit/csv/write-csv'
import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember, requireRole } from '../../accounts/require-member'
import { describeAuditEntry } from '../../audit-log/describe-entry'
import { type AuditEntry, type AuditFilter, findAuditPage } from '../../audit-log/list-repository'
import { answerDownload } from '../../layout/answer-download'
import { answerPage } from '../../layout/answer-page'
import { enforceLimit } from '../../limits/enforce-limit'
import { exportLimits } from '../../limits/limits'
import { auditLogPage } from './page'
import { readFilter } from './read-filter'

const pageRows = 50
const csvRowsAtOnce = 500

/** The audit log of an account, for its owners; also as CSV. */
export const auditLog = (deps: MemberDeps) =>
  new Elysia({ name: 'audit-log', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/members/log', async function getAuditLog({ query, set, ...context }) {
      requireRole(context.member, 'owner')
      const filter = readFilter(query)
      const cursor = /^\d{1,15}$/.test(query.cursor ?? '') ? (query.cursor ?? '') : ''
      const part = { beforeId: cursor === '' ? null : Number(cursor), limit: pageRows }
      const { entries, next } = await findAuditPage(deps.sql, context.member.accountId, part, filter.filter)
      return answerPage(set, auditLogPage({ ...context, ...filter, entries, cursor, next: next === null ? null : String(next) }))
    })
    .get('/accounts/:id/members/log.csv', async function getAuditLogCsv({ query, set, person, member }) {
      requireRole(member, 'owner')
      await enforceLimit(deps.sql, exportLimits.auditLog, person.id)
      const parts = auditLogCsv(deps.sql, member.accountId, readFilter(query).filter)
      return answerDownload(set, { parts, type: 'text/csv', fileName: `filmgate-audit-log-${member.accountId}.csv` })
    })

const columns = ['time', 'person', 'action', 'name', 'object', 'ip_address', 'details'] as const

async function* auditLogCsv(sql: Sql, accountId: string, filter: AuditFilter): AsyncGenerator<string, void> {
  yield csvLine(columns)
  let beforeId: number | null = null
  do {
    const { entries, next } = await findAuditPage(sql, accountId, { beforeId, limit: csvRowsAtOnce }, filter)
    yield csvRows(columns, entries.map(rowOf))
    beforeId = next
  } while (beforeId !== null)
}

const rowOf = (entry: AuditEntry) => ({
  time: entry.at.toISOString(),
  person: entry.email,
  action: describeAuditEntry(entry),
  name: entry.action,
  object: entry.subject,
  ip_address: entry.address,
  details: JSON.stringify(entry.details),
})
