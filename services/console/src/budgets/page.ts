import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { credits, number, time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'
import { budgetFormPath, budgetsPath } from './paths'
import { type BudgetFields, type BudgetIssues, type BudgetsView, type Period, periods, type Subject } from './save-budget'

const periodLabels: Record<Period, string> = { total: 'In total', day: 'A day', month: 'A month' }

type ListView = MemberContext & { budgets: BudgetsView; subjects: Subject[]; notice?: Notice | undefined }

/** Every key and member, with its caps and what is spent of them. */
export function budgetsPage({ person, member, memberships, budgets, subjects, notice }: ListView): string {
  return page({
    title: 'Budgets',
    person,
    account: { member, memberships, section: 'settings' },
    ...(notice && { notice }),
    content: html`<p>A budget caps what may be spent. A video above what is left is refused, and nothing is charged. Days and months begin at
midnight in ${budgets.time_zone}. Spend is counted from the first budget of this account on, and shown with a short delay.
Owners get an <a href="${accountPath(member.accountId, 'mails')}">e-mail</a> when 80 % and when all of a cap is spent, and a member about their own.</p>
${table(
  'Budgets of this account',
  [{ title: 'Whose' }, { title: 'Caps' }, { title: '' }],
  subjects.map(subject => [
    html`${subject.name}<span class="sub">${subject.scope}</span>`,
    capsOf(budgets, subject),
    html`<a class="button second" href="${budgetFormPath(member.accountId, subject)}">Change<span class="hidden"> the budget of ${subject.name}</span></a>`,
  ]),
)}`,
  })
}

function capsOf({ data }: BudgetsView, { scope, id }: Subject): Html | string {
  const budget = data.find(one => one.budget === scope && one.id === id)
  if (!budget) return 'No cap'
  return html`${budget.caps.map(
    ({ period, max_credits, spent_credits, left_credits, resets_at }) =>
      html`<div>${periodLabels[period]}: ${number(spent_credits)} of ${credits(max_credits)} spent, ${number(left_credits)} left<span class="sub">${
        resets_at === null ? 'does not begin anew' : html`begins anew ${time(resets_at)}`
      }</span></div>`,
  )}${!budget.applied && html`<span class="sub">being applied</span>`}`
}

type FormView = MemberContext & { subject: Subject; formId: string; fields: BudgetFields; issues?: BudgetIssues }

export function budgetPage({ person, member, memberships, subject, formId, fields, issues = {} }: FormView): string {
  return page({
    title: `Budget of ${subject.name}`,
    person,
    account: { member, memberships, section: 'settings' },
    content: html`<form class="panel" method="post" action="${budgetFormPath(member.accountId, subject)}">
${hidden('form', formId)}
${periods.map(period =>
  field({
    name: period,
    label: `${periodLabels[period]}, in credits`,
    value: fields[period],
    issue: issues[period],
    maxLength: 12,
    ...(period === 'total' && { hint: 'Leave a field empty for no cap. 0 refuses every video.' }),
  }),
)}
${
  subject.scope === 'account' &&
  field({
    name: 'time_zone',
    label: 'Time zone',
    value: fields.time_zone,
    issue: issues.time_zone,
    maxLength: 100,
    hint: 'Where days and months begin at midnight, for all budgets of the account: a name such as Europe/Berlin.',
  })
}
<p class="row"><button>Save the budget</button> <a class="button second" href="${budgetsPath(member.accountId)}">Cancel</a></p>
</form>`,
  })
}
