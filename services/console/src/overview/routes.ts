import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type MemberDeps, memberOf } from '../accounts/member-of'
import { signedIn } from '../door/person'
import type { AccountView, Gateway } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { overviewPage } from './page'

export type OverviewDeps = MemberDeps & { gateway: Gateway }

/** `/` leads to the person's account; /accounts/:id is its overview. */
export const overview = (deps: OverviewDeps) =>
  new Elysia({ name: 'overview', normalize: false })
    .use(
      new Elysia({ normalize: false }).use(signedIn(deps)).get('/', async function getRoot({ person, set }) {
        const [first] = await listMemberships(deps.sql, person.id)
        return seeOther(set, first ? accountPath(first.accountId) : '/accounts')
      }),
    )
    .use(
      new Elysia({ normalize: false })
        .use(memberOf(deps))
        .get('/accounts/:id', async function getOverview({ person, member, memberships, set }) {
          const account = await deps.gateway.get<AccountView>(person, `/accounts/${member.accountId}`)
          return answerPage(set, overviewPage({ person, member, memberships, account }))
        }),
    )
