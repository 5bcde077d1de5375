import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { listActions } from './action-repository'
import { auditLogPage } from './page'

const pageRows = 50

/** The audit log of the operators' pages. */
export const auditLog = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate/acts', async function getAuditLog({ operator, request, set }) {
    const cursor = new URL(request.url).searchParams.get('cursor') ?? ''
    const beforeId = /^\d{1,15}$/.test(cursor) ? Number(cursor) : null
    const rows = await listActions(deps.sql, { beforeId, rowsMax: pageRows + 1 })
    const pageActions = rows.slice(0, pageRows)
    return answerPage(
      set,
      auditLogPage({ operator, url: request.url, actions: pageActions, next: rows.length > pageRows ? pageActions.at(-1)?.id : undefined }),
    )
  })
