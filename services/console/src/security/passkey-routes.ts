import { Failure } from '@filmgate/kit/failure'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { authHeaders, keepCookies, refusalOf } from '../auth/ask-auth'
import type { Auth } from '../auth/create-auth'
import { requireRecent } from '../auth/require-recent'
import { signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import type { Reason } from '../errors'
import { seeOther } from '../layout/answer-page'
import type { SignInDeps } from '../sign-in/deps'
import { noteChange } from '../sign-in/note-act'
import { ceremony } from '../sign-in/passkey-routes'
import { deletePasskey, renamePasskey } from './security-repository'

type Registration = NonNullable<Parameters<Auth['api']['verifyPasskeyRegistration']>[0]>['body']['response']

/** A person's own passkeys: added by passkey.browser.js, renamed, removed. */
export const ownPasskeyRoutes = (deps: SignInDeps) =>
  new Elysia({ name: 'own-passkeys', normalize: false })
    .use(signedIn(deps))
    .post('/security/passkeys/options', async function postOptions({ person, request, set }) {
      await requireRecent(deps, person)
      const headers = authHeaders(request, deps.clientAddress(request))
      const answer = await deps.auth.api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true })
      keepCookies(set, answer.headers)
      return answer.response
    })
    .post(
      '/security/passkeys',
      async function postPasskey({ person, request }) {
        await requireRecent(deps, person)
        const { response, name = 'Passkey' } = await readJsonAs(ceremony, request)
        const headers = authHeaders(request, deps.clientAddress(request))
        const body = { response: response as unknown as Registration, name }
        const refusal = await deps.auth.api.verifyPasskeyRegistration({ headers, body }).then(() => undefined, refusalOf)
        if (refusal !== undefined) throw new Failure<Reason>('invalid_request', { message: 'The passkey could not be added.' })
        await noteChange(deps, person, { act: 'person.passkey_added', words: 'A passkey was added to your account', details: { name } })
        return { added: true }
      },
      { parse: 'none' },
    )
    .post('/security/passkeys/:passkey/name', async function postRename({ person, params, request, set }) {
      await requireRecent(deps, person)
      const name = (await readForm(request)).get('name').slice(0, 60)
      if (name === '' || !(await renamePasskey(deps.sql, person.id, params.passkey, name))) throw new Failure<Reason>('not_found')
      return seeOther(set, '/security?done=passkey_renamed')
    })
    .post('/security/passkeys/:passkey/remove', async function postRemove({ person, params, set }) {
      await requireRecent(deps, person)
      if (!(await deletePasskey(deps.sql, person.id, params.passkey))) throw new Failure<Reason>('not_found')
      await noteChange(deps, person, {
        act: 'person.passkey_removed',
        words: 'A passkey was removed from your account',
        subject: params.passkey,
      })
      return seeOther(set, '/security?done=passkey_removed')
    })
