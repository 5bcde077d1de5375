import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type MemberContext, type MemberDeps, requireMember } from '../accounts/require-member'
import type { SaleDeps } from '../billing/credits-link'
import type { Gateway } from '../gateway/gateway'
import { requireSignIn } from '../http/person'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { livePart } from './live-part'
import { openingPage, overviewPage } from './page'
import { readLive, readOverview } from './read-overview'

export type OverviewDeps = MemberDeps & SaleDeps & { gateway: Gateway; now(): Date }

/** `/` redirects to the person's account; /accounts/:id is its overview, /accounts/:id/live its polled part. */
export const overview = (deps: OverviewDeps) =>
  new Elysia({ name: 'overview', normalize: false })
    .use(
      new Elysia({ normalize: false }).use(requireSignIn(deps)).get('/', async function getRoot({ person, set }) {
        const [first] = await listMemberships(deps.sql, person.id)
        return seeOther(set, first ? accountPath(first.accountId) : '/accounts')
      }),
    )
    .use(
      new Elysia({ normalize: false })
        .use(requireMember(deps))
        .get('/accounts/:id', async function getOverview({ set, person, member, memberships }) {
          const overview = await readOverview(readInput(deps, { person, member }), deps.now())
          const context = { person, member, memberships }
          return answerPage(set, overview ? overviewPage({ ...context, overview, sells: deps.stripe !== undefined }) : openingPage(context))
        })
        .get('/accounts/:id/live', async function getLive({ set, person, member }) {
          const live = await readLive(readInput(deps, { person, member }))
          // 204 while the account is being opened; the page reloads once it is there.
          return answerPage(set, live ? livePart(member, live).text : '', live ? 200 : 204)
        }),
    )

const readInput = ({ gateway }: OverviewDeps, { person, member }: Pick<MemberContext, 'person' | 'member'>) => ({
  gateway,
  actor: person,
  member,
})
