import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { authHeaders, keepCookies } from '../../auth/ask-auth'
import { addressHeader, oidcId } from '../../auth/create-auth'
import { readForm } from '../../door/read-form'
import { safePath } from '../../door/safe-path'
import type { Reason } from '../../errors'
import { answerPage, seeOther } from '../../layout/answer-page'
import { takeTry } from '../../limits/take-try'
import type { SignInDeps } from '../deps'
import { finishOidc } from './finish-oidc'
import { leavePage } from './leave-page'

/** Signing in, and signing up, at the provider that is configured: the code flow with PKCE, state and nonce. */
export const oidcRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'oidc', normalize: false })
    .post('/sign-in/oidc', async function postOidc({ request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      const next = safePath((await readForm(request)).get('next'))
      const address = deps.clientAddress(request)
      await takeTry(deps.sql, deps.limits.signInAddress, address)
      const { headers, response } = await deps.auth.api.signInSocial({
        body: { provider: oidcId, callbackURL: next, newUserCallbackURL: next, errorCallbackURL: '/sign-in', disableRedirect: true },
        headers: authHeaders(request, address),
        returnHeaders: true,
      })
      if (!('url' in response) || !response.url)
        throw new Failure<Reason>('service_unavailable', { internal: 'the provider has no address to sign in at' })
      keepCookies(set, headers)
      return answerPage(set, leavePage(set, deps.oidcName, response.url))
    })
    .get(`/auth/callback/${oidcId}`, async function getCallback({ request, set }) {
      if (deps.oidcName === undefined) throw new Failure<Reason>('not_found')
      const address = deps.clientAddress(request)
      await takeTry(deps.sql, deps.limits.signInAddress, address)
      const { pathname, search } = new URL(request.url)
      const headers = authHeaders(request, address)
      headers.set(addressHeader, address)
      const answer = await deps.auth.handler(new Request(`${deps.consoleUrl}${pathname}${search}`, { headers }))
      keepCookies(set, answer.headers)
      await finishOidc(deps, request, answer)
      return seeOther(set, ownPath(deps, answer.headers.get('location')))
    })

/** The library leads only where it was told to; what isn't a path of the console is not gone to. */
function ownPath({ consoleUrl }: SignInDeps, location: string | null): string {
  const url = location === null ? null : URL.parse(location, consoleUrl)
  return url?.origin === consoleUrl ? safePath(`${url.pathname}${url.search}`) : '/sign-in?error=failed'
}
