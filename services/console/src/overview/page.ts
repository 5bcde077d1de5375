import { html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { Person } from '../door/person'
import type { AccountView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { credits, number } from '../layout/numbers'
import { page } from '../layout/page'

type Shown = { person: Person; member: Membership; memberships: Membership[]; account: AccountView }

export const overviewPage = ({ person, member, memberships, account }: Shown): string =>
  page({
    title: 'Overview',
    person,
    account: { member, memberships, section: 'overview' },
    content: html`<div class="cards">
<section class="card"><h2 class="figure-name">Paid balance</h2><p class="figure">${number(account.available_credits)}</p><p class="soft">for the API and here</p></section>
<section class="card"><h2 class="figure-name">Starter credits</h2><p class="figure">${number(account.starter_credits)}</p><p class="soft">spent first, here only</p></section>
<section class="card"><h2 class="figure-name">Running tasks</h2><p class="figure">${number(account.unfinished)}</p><p class="soft">of at most ${account.unfinished_max} at once</p></section>
</div>
${
  account.available_credits + account.starter_credits === 0 &&
  html`<p>There are no credits: <a href="${accountPath(member.accountId, 'billing')}">buy some</a> to make a video. ${credits(1)} is 0.01 USD of list price.</p>`
}
<p class="row"><a class="button" href="${accountPath(member.accountId, 'playground')}">Make a video</a></p>`,
  })
