import type { Role } from '@filmgate/kit/environment/operator-environment'
import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { Operator } from '../access/require-operator'

/** The operators' pages, in menu order. */
export const sections = {
  home: ['/operate', 'Status'],
  search: ['/operate/search', 'Search'],
  reviews: ['/operate/reviews', 'Reviews'],
  tasks: ['/operate/tasks', 'Tasks'],
  accounts: ['/operate/accounts', 'Accounts'],
  purchases: ['/operate/purchases', 'Purchases'],
  changes: ['/operate/credit-changes', 'Second approver'],
  'dead-letters': ['/operate/dead-letters', 'Dead letters'],
  audit: ['/operate/audit', 'Audit'],
  providers: ['/operate/providers', 'Providers'],
  costs: ['/operate/costs', 'Costs'],
  margins: ['/operate/margins', 'Margins'],
  'audit-log': ['/operate/acts', 'Audit log'],
} as const
export type Section = keyof typeof sections

export const operateMenu = ({ role }: Operator, section: Section): Html => html`<nav class="side" aria-label="Operate">
<p class="account">Operate <span class="tag">${role}</span></p>
<ul>
${sectionsFor(role).map(
  each => html`<li><a href="${sections[each][0]}"${each === section && html` aria-current="page"`}>${sections[each][1]}</a></li>`,
)}
</ul>
</nav>`

/** Searching shows people's names and addresses. */
const sectionsFor = (role: Role): Section[] =>
  (Object.keys(sections) as Section[]).filter(each => each !== 'search' || hasRole(role, 'support'))

export const taskPath = (id: string): string => `/operate/tasks/${encodeURIComponent(id)}`
export const personPath = (id: string): string => `/operate/people/${encodeURIComponent(id)}`
export const accountPath = (id: string): string => `/operate/accounts/${encodeURIComponent(id)}`
export const purchasesPathOf = (accountId: string): string => `${sections.purchases[0]}?account=${encodeURIComponent(accountId)}`
export const costsPathOf = (accountId: string): string => `${sections.costs[0]}?account=${encodeURIComponent(accountId)}`
export const requestsPath = '/operate/requests'
export const requestsPathOf = (filter: { account: string } | { request: string }): string =>
  `${requestsPath}?${new URLSearchParams(filter)}`
export const reviewPath = (id: string): string => `/operate/reviews/${encodeURIComponent(id)}`
