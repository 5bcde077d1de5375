import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { authHeaders, forwardCookies } from '../../auth/auth-request'
import { addressHeader, oidcId } from '../../auth/create-auth'
import type { Reason } from '../../errors'
import { readForm } from '../../http/read-form'
import { safePath } from '../../http/safe-path'
import { answerPage, seeOther } from '../../layout/answer-page'
import { enforceLimit } from '../../limits/enforce-limit'
import type { SignInDeps } from '../deps'
import { finishOidc } from './finish-oidc'
import { redirectPage } from './redirect-page'

/** Sign-in and sign-up with the configured OIDC provider: code flow with PKCE, state and nonce. */
export const oidcRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'oidc', normalize: false })
    .post('/sign-in/oidc', async function postOidc({ request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      const next = safePath((await readForm(request)).get('next'))
      const address = deps.clientAddress(request)
      await enforceLimit(deps.sql, deps.limits.signInAddress, address)
      const { headers, response } = await deps.auth.api.signInSocial({
        body: { provider: oidcId, callbackURL: next, newUserCallbackURL: next, errorCallbackURL: '/sign-in', disableRedirect: true },
        headers: authHeaders(request, address),
        returnHeaders: true,
      })
      if (!('url' in response) || !response.url)
        throw new Failure<Reason>('service_unavailable', { internal: 'the OIDC provider returned no sign-in URL' })
      forwardCookies(set, headers)
      return answerPage(set, redirectPage(set, deps.oidcName, response.url))
    })
    .get(`/auth/callback/${oidcId}`, async function getCallback({ request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      const address = deps.clientAddress(request)
      await enforceLimit(deps.sql, deps.limits.signInAddress, address)
      const { pathname, search } = new URL(request.url)
      const headers = authHeaders(request, address)
      headers.set(addressHeader, address)
      const answer = await deps.auth.handler(new Request(`${deps.consoleUrl}${pathname}${search}`, { headers }))
      forwardCookies(set, answer.headers)
      await finishOidc(deps, request, answer)
      return seeOther(set, consolePath(deps, answer.headers.get('location')))
    })

/** better-auth redirects only to configured URLs. Anything but a path of the console is rejected here. */
function consolePath({ consoleUrl }: SignInDeps, location: string | null): string {
  const url = location === null ? null : URL.parse(location, consoleUrl)
  return url?.origin === consoleUrl ? safePath(`${url.pathname}${url.search}`) : '/sign-in?error=failed'
}
