import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMemberships, type Membership } from '../accounts/account-repository'
import { requireRole } from '../accounts/member-of'
import { requireRecent } from '../auth/require-recent'
import { signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import type { Reason } from '../errors'
import { answerPage, seeOther } from '../layout/answer-page'
import { type LendDeps, lendKey } from './lend-key'
import { tryItPage } from './page'

export type TryItDeps = LendDeps & { apiOrigin: string }

/** /try-it: the reference at the API's host leads here, and is led back to with a key that ends within the hour. */
export const tryIt = (deps: TryItDeps) =>
  new Elysia({ name: 'try-it', normalize: false })
    .use(signedIn(deps))
    .get('/try-it', async function getTryIt({ person, request, set }) {
      const owned = (await listMemberships(deps.sql, person.id)).filter(({ role }) => role === 'owner')
      if (owned.length > 0) await requireRecent(deps, person)
      return answerPage(set, tryItPage(person, owned, stateOf(new URL(request.url).searchParams.get('state'))))
    })
    .post(
      '/try-it',
      async function postTryIt({ person, request, set }) {
        const form = await readForm(request)
        const accountId = form.get('account')
        const member = memberIn(await listMemberships(deps.sql, person.id), accountId)
        requireRole(member, 'owner')
        await requireRecent(deps, person)
        const key = await lendKey(deps, person, member)
        // Behind the #: the address of a page is sent to servers and written to logs, its fragment is not.
        const state = stateOf(form.get('state'))
        return seeOther(set, `${deps.apiOrigin}/docs#key=${key}${state && `&state=${state}`}`)
      },
      { parse: 'none' },
    )

/** By which the reference's page knows that its own tab asked for the key; one of before gives none. */
const stateOf = (given: string | null): string => (/^[0-9a-z-]{1,64}$/.test(given ?? '') ? (given ?? '') : '')

function memberIn(memberships: Membership[], accountId: string): Membership {
  const member = memberships.find(each => each.accountId === accountId)
  if (!member) throw new Failure<Reason>('not_found')
  return member
}
