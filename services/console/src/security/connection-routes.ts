import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { oidcId } from '../auth/create-auth'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import { requireSignIn } from '../http/person'
import { answerPage, seeOther } from '../layout/answer-page'
import type { SignInDeps } from '../sign-in/deps'
import { redirectPage } from '../sign-in/oidc/redirect-page'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { findCredentialId } from './security-repository'

/** Connects the OIDC provider to the signed-in person, and disconnects it. */
export const connectionRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'connections', normalize: false })
    .use(requireSignIn(deps))
    .post('/security/oidc/connect', async function postConnect({ person, request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      await requireRecentSignIn(deps, person)
      const { headers, response } = await deps.auth.api.linkSocialAccount({
        body: { provider: oidcId, callbackURL: '/security?done=connected', errorCallbackURL: '/security', disableRedirect: true },
        headers: authHeaders(request, deps.clientAddress(request)),
        returnHeaders: true,
      })
      forwardCookies(set, headers)
      return answerPage(set, redirectPage(set, deps.oidcName, response.url))
    })
    .post('/security/oidc/disconnect', async function postDisconnect({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const headers = authHeaders(request, deps.clientAddress(request))
      const accountId = await findCredentialId(deps.sql, person.id, oidcId)
      if (accountId === undefined) throw new Failure<Reason>('not_found')
      const refusal = await deps.auth.api.unlinkAccount({ headers, body: { accountId } }).then(() => undefined, authErrorCode)
      if (refusal !== undefined) return seeOther(set, '/security?error=disconnect')
      await recordSecurityChange(deps, person, {
        action: 'person.provider_disconnected',
        change: 'Another provider was disconnected from your account',
        subject: oidcId,
      })
      return seeOther(set, '/security?done=disconnected')
    })
