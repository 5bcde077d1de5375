import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMemberships, type Membership } from '../accounts/account-repository'
import { requireRole } from '../accounts/require-member'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import { requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { answerPage, seeOther } from '../layout/answer-page'
import { type CreateTemporaryKeyDeps, createTemporaryKey } from './create-temporary-key'
import { tryItPage } from './page'

export type TryItDeps = CreateTemporaryKeyDeps & { apiOrigin: string }

/** /docs leads to the API's reference page. That links to /try-it and gets a key that expires within the hour. */
export const tryIt = (deps: TryItDeps) =>
  new Elysia({ name: 'try-it', normalize: false })
    .get('/docs', ({ set }) => seeOther(set, `${deps.apiOrigin}/docs`))
    .use(requireSignIn(deps))
    .get('/try-it', async function getTryIt({ person, request, set }) {
      const owned = (await listMemberships(deps.sql, person.id)).filter(({ role }) => role === 'owner')
      if (owned.length > 0) await requireRecentSignIn(deps, person)
      return answerPage(set, tryItPage(person, owned, stateOf(new URL(request.url).searchParams.get('state'))))
    })
    .post(
      '/try-it',
      async function postTryIt({ person, request, set }) {
        const form = await readForm(request)
        const accountId = form.get('account')
        const member = memberIn(await listMemberships(deps.sql, person.id), accountId)
        requireRole(member, 'owner')
        await requireRecentSignIn(deps, person)
        const key = await createTemporaryKey(deps, person, member)
        // The key is in the fragment, because the rest of a URL is sent to servers and logged.
        const state = stateOf(form.get('state'))
        return seeOther(set, `${deps.apiOrigin}/docs/try-it#key=${key}${state && `&state=${state}`}`)
      },
      { parse: 'none' },
    )

/** Lets the reference page check that its own tab requested the key. Older pages send none. */
const stateOf = (given: string | null): string => (/^[0-9a-z-]{1,64}$/.test(given ?? '') ? (given ?? '') : '')

function memberIn(memberships: Membership[], accountId: string): Membership {
  const member = memberships.find(each => each.accountId === accountId)
  if (!member) throw new Failure<Reason>('not_found')
  return member
}
