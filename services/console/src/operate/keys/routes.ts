import { act } from '@filmgate/kit/operator/act'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { secretPage } from '../layout/secret-page'
import { createKey } from './create-key'
import { revokeKey } from './revoke-key'
import { rotateKey } from './rotate-key'

/** What operators do to the keys of an account. */
export const keys = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .post(
      '/operate/accounts/:id/keys',
      async function postKey({ operator, request, params: { id }, set }) {
        const form = await readForm(request)
        const { act, made } = await createKey(deps, operator, form, id)
        const path = actPath(accountPath(id), act)
        if (!made) return seeOther(set, path)
        const words = `The key “${form.get('name')}” of the account ${id} works from now on.`
        return answerPage(set, secretPage({ operator, title: 'Key created', secret: made.api_key, words, path }))
      },
      { ...act('money'), parse: 'none' },
    )
    .post(
      '/operate/accounts/:id/keys/:key/rotate',
      async function postRotation({ operator, request, params: { id, key }, set }) {
        const { act, made } = await rotateKey(deps, operator, await readForm(request), { accountId: id, keyId: key })
        const path = actPath(accountPath(id), act)
        if (!made) return seeOther(set, path)
        const words = `The other secret of the key ${key} of the account ${id}. The former one works on for the overlap: the programs of the account need this one before it ends.`
        return answerPage(set, secretPage({ operator, title: 'Key rotated', secret: made.api_key, words, path }))
      },
      { ...act('money'), parse: 'none' },
    )
    .post(
      '/operate/accounts/:id/keys/:key/revoke',
      async function postRevocation({ operator, request, params: { id, key }, set }) {
        const done = await revokeKey(deps, operator, await readForm(request), { accountId: id, keyId: key })
        return seeOther(set, actPath(accountPath(id), done))
      },
      { ...act('support'), parse: 'none' },
    )
