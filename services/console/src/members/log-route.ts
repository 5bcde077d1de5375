import { type Html, html } from '@filmgate/kit/http/html'
import { Elysia } from 'elysia'
import { type Inside, type MemberDeps, memberOf, requireRole } from '../accounts/member-of'
import { actWords } from '../acts/act-words'
import { type ActRow, listActs } from '../acts/list-repository'
import { answerPage } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { page } from '../layout/page'
import { pages, table } from '../layout/table'

const rowsShown = 50

/** The log of what people did in an account, for its owners. */
export const logRoute = (deps: MemberDeps) =>
  new Elysia({ name: 'members-log', normalize: false })
    .use(memberOf(deps))
    .get('/accounts/:id/members/log', async function getLog({ query, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const cursor = /^\d{1,15}$/.test(query.cursor ?? '') ? (query.cursor ?? '') : ''
      const rows = await listActs(deps.sql, member.accountId, { beforeId: cursor === '' ? null : Number(cursor), limit: rowsShown + 1 })
      const acts = rows.slice(0, rowsShown)
      const next = rows.length > rowsShown ? String(acts.at(-1)?.id) : null
      return answerPage(set, logPage({ person, member, memberships }, acts, { cursor, next }))
    })

const logPage = (inside: Inside, acts: ActRow[], { cursor, next }: { cursor: string; next: string | null }): string => {
  const { person, member, memberships } = inside
  const path = accountPath(member.accountId, 'members')
  return page({
    title: 'Who did what',
    person,
    account: { member, memberships, section: 'members' },
    content: html`<p><a href="${path}">Members</a></p>
${acts.length === 0 ? html`<div class="empty"><p>Nothing was done here yet.</p></div>` : actTable(acts)}
${pages(`${path}/log`, { cursor, next })}`,
  })
}

const actTable = (acts: ActRow[]): Html =>
  table(
    'What was done in this account, newest first',
    [{ title: 'What' }, { title: 'Who' }, { title: 'When' }, { title: 'From' }],
    acts.map(act => [actWords(act), act.email, time(act.at), html`<span class="mono nowrap">${act.address ?? '–'}</span>`]),
  )
