import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import { isAtLeast, type Role } from '../accounts/roles'

/** An account's pages in menu order: path below /accounts/:id and label. */
export const sections = {
  overview: ['', 'Overview'],
  models: ['/models', 'Models'],
  playground: ['/playground', 'Playground'],
  tasks: ['/tasks', 'Tasks'],
  requests: ['/requests', 'Requests'],
  usage: ['/usage', 'Usage'],
  keys: ['/keys', 'API keys'],
  webhooks: ['/webhooks', 'Webhooks'],
  billing: ['/billing', 'Billing'],
  members: ['/members', 'Members'],
  mails: ['/e-mails', 'E-mails'],
  settings: ['/settings', 'Settings'],
} as const
export type Section = keyof typeof sections

export const accountPath = (accountId: string, section: Section = 'overview'): string => `/accounts/${accountId}${sections[section][0]}`

type Menu = { member: Membership; memberships: Membership[]; section: Section }

export const accountMenu = ({ member, memberships, section }: Menu): Html => html`<nav class="side" aria-label="Account">
${memberships.length > 1 ? accountSwitch(member, memberships) : html`<p class="account">${member.accountName}</p>`}
<ul>
${sectionsOf(member).map(
  each =>
    html`<li><a href="${accountPath(member.accountId, each)}"${each === section && html` aria-current="page"`}>${sections[each][1]}</a></li>`,
)}
<li class="docs"><a href="/docs">Docs</a></li>
</ul>
</nav>`

/** Viewers don't see purchases; webhooks are the owners'. */
const needed: Partial<Record<Section, Role>> = { billing: 'member', webhooks: 'owner' }

const sectionsOf = ({ role }: Membership): Section[] =>
  (Object.keys(sections) as Section[]).filter(each => isAtLeast(role, needed[each] ?? 'viewer'))

const accountSwitch = (member: Membership, memberships: Membership[]): Html => html`<details class="switch">
<summary><span class="account">${member.accountName}</span></summary>
<div class="sheet">
${memberships.map(
  ({ accountId, accountName }) =>
    html`<a href="${accountPath(accountId)}"${accountId === member.accountId && html` aria-current="true"`}>${accountName}</a>`,
)}
</div>
</details>`
