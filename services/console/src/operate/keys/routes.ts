import { needsRole } from '@filmgate/kit/operator/needs-role'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionPath } from '../actions/shown-action'
import { accountPath } from '../layout/menu'
import { secretPage } from '../layout/secret-page'
import { createKey } from './create-key'
import { revokeKey } from './revoke-key'
import { rotateKey } from './rotate-key'

/** Operator actions on the keys of an account. */
export const keys = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .post(
      '/operate/accounts/:id/keys',
      async function postKey({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const { actionId, created } = await createKey(deps, operator, form, id)
        const path = actionPath(accountPath(id), actionId)
        if (!created) return seeOther(set, path)
        const description = `The key “${form.get('name')}” of the account ${id} works from now on.`
        return answerPage(set, secretPage({ operator, title: 'Key created', secret: created.api_key, description, path }))
      },
      { ...needsRole('money'), parse: 'none' },
    )
    .post(
      '/operate/accounts/:id/keys/:key/rotate',
      async function postRotation({ operator, request, params: { id, key }, set }) {
        const { actionId, created } = await rotateKey(deps, operator, await readForm(request), { accountId: id, keyId: key })
        const path = actionPath(accountPath(id), actionId)
        if (!created) return seeOther(set, path)
        const description = `The new secret of the key ${key} of the account ${id}. The previous one works for the overlap. The account’s programs need the new one before it ends.`
        return answerPage(set, secretPage({ operator, title: 'Key rotated', secret: created.api_key, description, path }))
      },
      { ...needsRole('money'), parse: 'none' },
    )
    .post(
      '/operate/accounts/:id/keys/:key/revoke',
      async function postRevocation({ operator, request, params: { id, key }, set }) {
        const done = await revokeKey(deps, operator, await readForm(request), { accountId: id, keyId: key })
        return seeOther(set, actionPath(accountPath(id), done))
      },
      { ...needsRole('support'), parse: 'none' },
    )
