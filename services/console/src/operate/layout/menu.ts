import { type Html, html } from '@filmgate/kit/http/html'
import type { Operator } from '../door/operator-of'

/** The operators' pages, in the order of their menu. */
export const rooms = {
  home: ['/operate', 'State'],
  reviews: ['/operate/reviews', 'Reviews'],
  tasks: ['/operate/tasks', 'Tasks'],
  accounts: ['/operate/accounts', 'Accounts'],
  purchases: ['/operate/purchases', 'Purchases'],
  changes: ['/operate/credit-changes', 'Second operator'],
  'dead-letters': ['/operate/dead-letters', 'Dead letters'],
  audit: ['/operate/audit', 'Audit'],
  providers: ['/operate/providers', 'Providers'],
  margins: ['/operate/margins', 'Margins'],
  acts: ['/operate/acts', 'Log of acts'],
} as const
export type Room = keyof typeof rooms

export const operateMenu = ({ role }: Operator, room: Room): Html => html`<nav class="side" aria-label="Operate">
<p class="account">Operate <span class="tag">${role}</span></p>
<ul>
${(Object.keys(rooms) as Room[]).map(
  each => html`<li><a href="${rooms[each][0]}"${each === room && html` aria-current="page"`}>${rooms[each][1]}</a></li>`,
)}
</ul>
</nav>`

export const taskPath = (id: string): string => `/operate/tasks/${encodeURIComponent(id)}`
export const accountPath = (id: string): string => `/operate/accounts/${encodeURIComponent(id)}`
export const purchasesPathOf = (accountId: string): string => `${rooms.purchases[0]}?account=${encodeURIComponent(accountId)}`
export const reviewPath = (id: string): string => `/operate/reviews/${encodeURIComponent(id)}`
