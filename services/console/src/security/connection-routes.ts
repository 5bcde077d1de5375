import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { oidcId } from '../auth/create-auth'
import { requireRecent } from '../auth/require-recent'
import { signedIn } from '../door/person'
import type { Reason } from '../errors'
import { answerPage, seeOther } from '../layout/answer-page'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'
import { leavePage } from '../sign-in/oidc/leave-page'
import { findCredentialId } from './security-repository'

/** Connects the other provider to the person who is signed in, and disconnects it. */
export const connectionRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'connections', normalize: false })
    .use(signedIn(deps))
    .post('/security/oidc/connect', async function postConnect({ person, request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      await requireRecent(deps, person)
      const { headers, response } = await deps.auth.api.linkSocialAccount({
        body: { provider: oidcId, callbackURL: '/security?done=connected', errorCallbackURL: '/security', disableRedirect: true },
        headers: authHeaders(request, deps.clientAddress(request)),
        returnHeaders: true,
      })
      keepCookies(set, headers)
      return answerPage(set, leavePage(set, deps.oidcName, response.url))
    })
    .post('/security/oidc/disconnect', async function postDisconnect({ person, request, set }) {
      await requireRecent(deps, person)
      const headers = authHeaders(request, deps.clientAddress(request))
      const accountId = await findCredentialId(deps.sql, person.id, oidcId)
      if (accountId === undefined) throw new Failure<Reason>('not_found')
      const refusal = await deps.auth.api.unlinkAccount({ headers, body: { accountId } }).then(() => undefined, refusalOf)
      if (refusal !== undefined) return seeOther(set, '/security?error=disconnect')
      await noteChange(deps, person, {
        act: 'person.provider_disconnected',
        words: 'Another provider was disconnected from your account',
        subject: oidcId,
      })
      return seeOther(set, '/security?done=disconnected')
    })
