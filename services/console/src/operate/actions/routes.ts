import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { listActions } from './action-repository'
import { auditLogPage } from './page'

const pageRows = 50

/** The audit log of the operators' pages. */
export const auditLog = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate/acts', async function getAuditLog({ operator, request, set }) {
    const { searchParams } = new URL(request.url)
    // Postgres texts can't contain a null character.
    const entered = (name: string) => (searchParams.get(name) ?? '').replaceAll('\0', '').trim()
    const cursor = entered('cursor')
    const filter = { operator: entered('operator'), action: entered('action'), account: entered('account') }
    const beforeId = /^\d{1,15}$/.test(cursor) ? Number(cursor) : null
    const rows = await listActions(deps.sql, { ...filter, beforeId, rowsMax: pageRows + 1 })
    const actions = rows.slice(0, pageRows)
    const next = rows.length > pageRows ? actions.at(-1)?.id : undefined
    return answerPage(set, auditLogPage({ operator, url: request.url, filter, actions, next }))
  })
