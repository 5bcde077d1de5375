import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { listActs } from './act-repository'
import { actLogPage } from './page'

const pageRows = 50

/** What was done on these pages, by whom and why. */
export const actLog = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(operatorOf(deps)).get('/operate/acts', async function getActs({ operator, request, set }) {
    const cursor = new URL(request.url).searchParams.get('cursor') ?? ''
    const beforeId = /^\d{1,15}$/.test(cursor) ? Number(cursor) : null
    const rows = await listActs(deps.sql, { beforeId, rowsMax: pageRows + 1 })
    const shown = rows.slice(0, pageRows)
    return answerPage(
      set,
      actLogPage({ operator, url: request.url, acts: shown, next: rows.length > pageRows ? shown.at(-1)?.id : undefined }),
    )
  })
