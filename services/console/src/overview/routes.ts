import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type Inside, type MemberDeps, memberOf } from '../accounts/member-of'
import { signedIn } from '../door/person'
import type { Gateway } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { livePart } from './live-part'
import { openingPage, overviewPage } from './page'
import { readLive, readOverview } from './read-overview'

export type OverviewDeps = MemberDeps & { gateway: Gateway; now(): Date }

/** `/` leads to the person's account; /accounts/:id is its overview, /accounts/:id/live the part of it that moves. */
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
        .get('/accounts/:id', async function getOverview({ set, person, member, memberships }) {
          const shown = await readOverview(asked(deps, { person, member }), deps.now())
          const inside = { person, member, memberships }
          return answerPage(set, shown ? overviewPage({ ...inside, shown }) : openingPage(inside))
        })
        .get('/accounts/:id/live', async function getLive({ set, person, member }) {
          const live = await readLive(asked(deps, { person, member }))
          // What is being opened is shown anew as a whole once it is there: 204 says that it isn't yet.
          return answerPage(set, live ? livePart(member, live).text : '', live ? 200 : 204)
        }),
    )

const asked = ({ gateway }: OverviewDeps, { person, member }: Pick<Inside, 'person' | 'member'>) => ({ gateway, actor: person, member })
