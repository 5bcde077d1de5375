import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { authErrorCode, authHeaders, forwardCookies } from '../auth/auth-request'
import type { Auth } from '../auth/create-auth'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import { requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { seeOther } from '../layout/answer-page'
import type { SignInDeps } from '../sign-in/deps'
import { ceremony } from '../sign-in/passkey-routes'
import { recordSecurityChange } from '../sign-in/record-security-change'
import { deletePasskey, renamePasskey } from './security-repository'

type Registration = NonNullable<Parameters<Auth['api']['verifyPasskeyRegistration']>[0]>['body']['response']

/** A person's passkeys: added by passkey.browser.js, renamed, removed. */
export const ownPasskeyRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'own-passkeys', normalize: false })
    .use(requireSignIn(deps))
    .post('/security/passkeys/options', async function postOptions({ person, request, set }) {
      await requireRecentSignIn(deps, person)
      const headers = authHeaders(request, deps.clientAddress(request))
      const answer = await deps.auth.api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true })
      forwardCookies(set, answer.headers)
      return answer.response
    })
    .post(
      '/security/passkeys',
      async function postPasskey({ person, request }) {
        await requireRecentSignIn(deps, person)
        const { response, name = 'Passkey' } = await readJsonAs(ceremony, request)
        const headers = authHeaders(request, deps.clientAddress(request))
        const body = { response: response as unknown as Registration, name }
        const refusal = await deps.auth.api.verifyPasskeyRegistration({ headers, body }).then(() => undefined, authErrorCode)
        if (refusal !== undefined) throw new Failure<Reason>('invalid_request', { message: 'The passkey could not be added.' })
        await recordSecurityChange(deps, person, {
          action: 'person.passkey_added',
          change: 'A passkey was added to your account',
          details: { name },
        })
        return { added: true }
      },
      { parse: 'none' },
    )
    .post('/security/passkeys/:passkey/name', async function postRename({ person, params, request, set }) {
      await requireRecentSignIn(deps, person)
      const name = (await readForm(request)).get('name').slice(0, 60)
      if (name === '' || !(await renamePasskey(deps.sql, person.id, params.passkey, name))) throw new Failure<Reason>('not_found')
      return seeOther(set, '/security?done=passkey_renamed')
    })
    .post('/security/passkeys/:passkey/remove', async function postRemove({ person, params, set }) {
      await requireRecentSignIn(deps, person)
      if (!(await deletePasskey(deps.sql, person.id, params.passkey))) throw new Failure<Reason>('not_found')
      await recordSecurityChange(deps, person, {
        action: 'person.passkey_removed',
        change: 'A passkey was removed from your account',
        subject: params.passkey,
      })
      return seeOther(set, '/security?done=passkey_removed')
    })
