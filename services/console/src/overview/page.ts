import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { dayChart } from '../layout/chart'
import { accountPath } from '../layout/menu'
import { credits } from '../layout/numbers'
import { page } from '../layout/page'
import { livePart } from './live-part'
import type { Overview } from './read-overview'

export const livePath = (accountId: string): string => `${accountPath(accountId)}/live`

export const overviewPage = ({
  person,
  member,
  memberships,
  overview,
  sells,
}: MemberContext & { overview: Overview; sells: boolean }): string =>
  page({
    title: 'Overview',
    person,
    account: { member, memberships, section: 'overview' },
    scripts: ['live.browser.js'],
    content: html`${isAtLeast(member.role, 'member') && html`<p class="row"><a class="button" href="${accountPath(member.accountId, 'playground')}">Make a video</a></p>`}
${firstStepsPanel(member, overview, sells)}
<div data-live="${livePath(member.accountId)}">
${livePart(member, overview)}
</div>
<h2>Spending, ${overview.days.length} days</h2>
${dayChart('Credits spent', overview.days)}
${forecastText(overview.forecast)}
<p><a href="${accountPath(member.accountId, 'usage')}">All usage</a></p>`,
  })

const forecastText = ({ month, soFar, byEnd }: Overview['forecast']): Html | false =>
  byEnd > 0 && html`<p>${month} so far: ${credits(soFar)}. At the pace of the last seven days: about ${credits(byEnd)} by its end.</p>`

/** For an account that the gateway doesn't know yet. */
export const openingPage = ({ person, member, memberships }: MemberContext): string =>
  page({
    title: 'Overview',
    person,
    account: { member, memberships, section: 'overview' },
    scripts: ['live.browser.js'],
    content: html`<div data-live="${livePath(member.accountId)}" data-opening><p>The account is being opened. This takes a few seconds; <a href="${accountPath(member.accountId)}">refresh</a>.</p></div>`,
  })

/** First steps for a new account, until it has a video and a key. */
function firstStepsPanel(member: Membership, { account, tasks, hasKeys }: Overview, sells: boolean): Html | false {
  const hasTasks = tasks.length > 0
  if (!isAtLeast(member.role, 'member') || (hasTasks && hasKeys)) return false
  const path = (section: Parameters<typeof accountPath>[1]) => accountPath(member.accountId, section)
  const owns = member.role === 'owner'
  return html`<section class="panel" aria-labelledby="first-steps"><h2 id="first-steps">First steps</h2>
<ul class="steps">
${step(hasTasks, html`<a href="${path('playground')}">Create your first video</a>${account.starter_credits > 0 && ' with the starter credits'}`)}
${owns && step(hasKeys, html`<a href="${path('keys')}">Create a key</a> to create videos from a program`)}
${owns && sells && step(account.available_credits > 0, html`<a href="${path('billing')}">Buy credits</a>, which the API spends`)}
${owns && step(false, html`<a href="${path('members')}">Invite others</a> to the account`)}
</ul></section>`
}

const step = (done: boolean, note: Html): Html =>
  html`<li><span class="${done ? 'mark-done' : 'mark-open'}" aria-hidden="true"></span><span>${done && html`<span class="hidden">Done: </span>`}${note}</span></li>`
