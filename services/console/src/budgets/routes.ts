import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMembers } from '../accounts/member-repository'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import type { KeyView } from '../gateway/gateway'
import { readForm } from '../http/read-form'
import { newFormId, submitOnce } from '../http/submit-once'
import { answerPage, seeOther } from '../layout/answer-page'
import type { Notice } from '../layout/page'
import { budgetPage, budgetsPage } from './page'
import { budgetsPath } from './paths'
import { type BudgetFields, type BudgetsView, readBudget, type SaveDeps, type Scope, type Subject, saveBudget } from './save-budget'

export type BudgetsDeps = MemberDeps & SaveDeps
type Answer = Parameters<typeof seeOther>[0]

/** The caps in credits of an account, its keys and its members: owners see and set them. */
export const budgets = (deps: BudgetsDeps) =>
  new Elysia({ name: 'budgets', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/budgets', async function getBudgets({ query, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const context = { person, member, memberships }
      const notice: Notice | undefined = query.done === 'saved' ? { kind: 'done', text: 'The budget is saved.' } : undefined
      const [view, subjects] = await Promise.all([findBudgets(deps, context), listSubjects(deps, context)])
      return answerPage(set, budgetsPage({ ...context, budgets: view, subjects, notice }))
    })
    .get('/accounts/:id/budgets/account', async function getAccountBudget({ set, person, member, memberships }) {
      return showForm(deps, { person, member, memberships }, { scope: 'account', id: member.accountId }, set)
    })
    .post('/accounts/:id/budgets/account', async function postAccountBudget({ request, set, person, member, memberships }) {
      return save(deps, { person, member, memberships }, { scope: 'account', id: member.accountId }, { request, set })
    })
    .get('/accounts/:id/budgets/keys/:key', async function getKeyBudget({ params, set, person, member, memberships }) {
      return showForm(deps, { person, member, memberships }, { scope: 'key', id: params.key }, set)
    })
    .post('/accounts/:id/budgets/keys/:key', async function postKeyBudget({ request, params, set, person, member, memberships }) {
      return save(deps, { person, member, memberships }, { scope: 'key', id: params.key }, { request, set })
    })
    .get('/accounts/:id/budgets/members/:person', async function getMemberBudget({ params, set, person, member, memberships }) {
      return showForm(deps, { person, member, memberships }, { scope: 'member', id: params.person }, set)
    })
    .post('/accounts/:id/budgets/members/:person', async function postMemberBudget({ request, params, set, person, member, memberships }) {
      return save(deps, { person, member, memberships }, { scope: 'member', id: params.person }, { request, set })
    })

type Named = { scope: Scope; id: string }

async function showForm(deps: BudgetsDeps, context: MemberContext, named: Named, set: Answer) {
  const subject = await requireSubject(deps, context, named)
  const view = await findBudgets(deps, context)
  const fields: BudgetFields = { total: '', day: '', month: '', time_zone: view.time_zone }
  const caps = view.data.find(({ budget, id }) => budget === subject.scope && id === subject.id)?.caps ?? []
  for (const { period, max_credits } of caps) fields[period] = String(max_credits)
  return answerPage(set, budgetPage({ ...context, subject, formId: newFormId(), fields }))
}

async function save(deps: BudgetsDeps, context: MemberContext, named: Named, { request, set }: { request: Request; set: Answer }) {
  const subject = await requireSubject(deps, context, named)
  const form = await readForm(request)
  const { fields, issues, body } = readBudget(form, subject)
  const again = (issues: Parameters<typeof budgetPage>[0]['issues']) =>
    answerPage(set, budgetPage({ ...context, subject, formId: newFormId(), fields, ...(issues && { issues }) }), 400)
  if (Object.keys(issues).length > 0) return again(issues)
  await submitOnce(deps.sql, form.get('form'))
  const { person, member } = context
  const saved = await saveBudget(deps, { person, accountId: member.accountId, subject, body })
  return saved.ok ? seeOther(set, `${budgetsPath(member.accountId)}?done=saved`) : again({ time_zone: 'There is no such time zone.' })
}

/** Only owners who have just signed in; not found for what is no key or member of this account. */
async function requireSubject(deps: BudgetsDeps, context: MemberContext, { scope, id }: Named): Promise<Subject> {
  requireRole(context.member, 'owner')
  await requireRecentSignIn(deps, context.person)
  const subject = (await listSubjects(deps, context)).find(one => one.scope === scope && one.id === id)
  if (!subject) throw new Failure<Reason>('not_found')
  return subject
}

async function listSubjects({ sql, gateway }: BudgetsDeps, { person, member }: MemberContext): Promise<Subject[]> {
  const [keys, members] = await Promise.all([
    gateway.get<{ data: KeyView[] }>(person, `/accounts/${member.accountId}/keys`),
    listMembers(sql, member.accountId),
  ])
  return [
    { scope: 'account', id: member.accountId, name: member.accountName },
    ...keys.data.filter(({ revoked_at }) => revoked_at === null).map(({ key_id, name }): Subject => ({ scope: 'key', id: key_id, name })),
    ...members.map(({ personId, name }): Subject => ({ scope: 'member', id: personId, name })),
  ]
}

const findBudgets = ({ gateway }: BudgetsDeps, { person, member }: MemberContext): Promise<BudgetsView> =>
  gateway.get<BudgetsView>(person, `/accounts/${member.accountId}/budgets`)
