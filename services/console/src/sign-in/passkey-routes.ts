import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import { rememberBrowser } from '../auth/cookies'
import type { Auth } from '../auth/create-auth'
import type { Reason } from '../errors'
import { takeTry } from '../limits/take-try'
import { findPersonById } from '../people/person-repository'
import type { SignInDeps } from './deps'
import { endFormerSession } from './end-former-session'
import { noteSignIn } from './note-act'
import { noteRefusal, takeSignInTry } from './note-refusal'

export type Ceremony = NonNullable<Parameters<Auth['api']['verifyPasskeyAuthentication']>[0]>['body']['response']

/** What the browser's ceremony gave; the library looks into it. */
export const ceremony = Type.Object({
  response: Type.Record(Type.String(), Type.Unknown()),
  name: Type.Optional(Type.String({ maxLength: 60 })),
})

/** The passkey's two calls, which passkey.browser.js makes. */
export const passkeyRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'passkey-sign-in', normalize: false })
    .post('/sign-in/passkey/options', async function postOptions({ request, set }) {
      const address = deps.clientAddress(request)
      await takeTry(deps.sql, deps.limits.signInAddress, address)
      const headers = authHeaders(new Request(deps.consoleUrl), address)
      const answer = await deps.auth.api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true })
      keepCookies(set, answer.headers)
      return { ...answer.response, userVerification: 'required' }
    })
    .post(
      '/sign-in/passkey',
      async function postPasskey({ request, set }) {
        const { response } = await readJsonAs(ceremony, request)
        const address = deps.clientAddress(request)
        await takeSignInTry(deps, deps.limits.signInAddress, address, { address })
        const headers = authHeaders(request, address)
        const answer = await deps.auth.api
          .verifyPasskeyAuthentication({ headers, body: { response: response as unknown as Ceremony }, returnHeaders: true })
          .catch(refusalOf)
        if (typeof answer === 'string') {
          noteRefusal(deps, { address, reason: 'passkey' })
          throw new Failure<Reason>('invalid_request', { message: 'This passkey is not known here.' })
        }
        keepCookies(set, answer.headers)
        await endFormerSession(deps, request)
        const signedIn = answer.response as unknown as { session: { userId: string } }
        const person = await findPersonById(deps.sql, signedIn.session.userId)
        if (person) {
          rememberBrowser(deps, set, person.email)
          await noteSignIn(deps.sql, { ...person, address }, 'person.signed_in', 'passkey')
        }
        return { signed_in: true }
      },
      { parse: 'none' },
    )
