import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import { rememberBrowser } from '../auth/cookies'
import type { Auth } from '../auth/create-auth'
import type { Reason } from '../errors'
import { enforceLimit } from '../limits/enforce-limit'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endPreviousSession } from './end-previous-session'
import { enforceSignInLimit, recordRefusedSignIn } from './record-refused-sign-in'
import { recordSignIn } from './record-security-change'

export type Ceremony = NonNullable<Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]>['body']['response']

/** The browser's WebAuthn response; better-auth validates it. */
export const ceremony = Type.Object({
  response: Type.Record(Type.String(), Type.Unknown()),
  name: Type.Optional(Type.String({ maxLength: 60 })),
})

/** The two calls of a passkey sign-in, made by passkey.browser.js. */
export const passkeyRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'passkey-sign-in', normalize: false })
    .post('/sign-in/passkey/options', async function postOptions({ request, set }) {
      const address = deps.clientAddress(request)
      await enforceLimit(deps.sql, deps.limits.signInAddress, address)
      const headers = authHeaders(new Request(deps.consoleUrl), address)
      const answer = await deps.auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true })
      forwardCookies(set, answer.headers)
      return { ...answer.response, userVerification: 'required' }
    })
    .post(
      '/sign-in/passkey',
      async function postPasskey({ request, set }) {
        const { response } = await readJsonAs(ceremony, request)
        const address = deps.clientAddress(request)
        await enforceSignInLimit(deps, deps.limits.signInAddress, address, { address })
        const headers = authHeaders(request, address)
        const answer = await deps.auth.api
          .verifyPasskeyAuthentication({ headers, body: { response: response as unknown as Ceremony }, returnHeaders: true })
          .catch(authErrorCode)
        if (typeof answer === 'string') {
          recordRefusedSignIn(deps, { address, reason: 'passkey' })
          throw new Failure<Reason>('invalid_request', { message: 'This passkey is unknown.' })
        }
        forwardCookies(set, answer.headers)
        await endPreviousSession(deps, request)
        const signedIn = answer.response as unknown as { session: { userId: string } }
        const person = await findPersonById(deps.sql, signedIn.session.userId)
        if (person) {
          rememberBrowser(deps, set, person.email)
          await recordSignIn(deps.sql, { ...person, address }, 'person.signed_in', 'passkey')
        }
        return { signed_in: true }
      },
      { parse: 'none' },
    )
