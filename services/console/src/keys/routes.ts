import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type Inside, type MemberDeps, memberOf, requireRole } from '../accounts/member-of'
import { requireRecent } from '../auth/require-recent'
import { readForm } from '../door/read-form'
import { newFormId, takeOnce } from '../door/take-once'
import type { Reason } from '../errors'
import type { KeyView } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { revokePage, rotatePage } from './confirm-page'
import { createKey, type KeyDeps } from './create-key'
import { stateOf } from './key-state'
import { keysPage } from './page'
import { readNewKey } from './read-new-key'
import { revokeKey } from './revoke-key'
import { overlapMs, rotateKey } from './rotate-key'
import { secretPage } from './secret-page'

export type KeysDeps = MemberDeps & KeyDeps & { now(): Date; apiOrigin: string }

/** The keys of an account: everybody in it sees them, its owners make, rotate and revoke them. */
export const keys = (deps: KeysDeps) =>
  new Elysia({ name: 'keys', normalize: false })
    .use(memberOf(deps))
    .get('/accounts/:id/keys', async function getKeys({ query, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      const notice: Notice | undefined = query.done === 'revoked' ? { kind: 'done', text: 'The key is revoked.' } : undefined
      return answerPage(set, keysPage({ ...inside, ...(await shown(deps, inside)), notice }))
    })
    .post('/accounts/:id/keys', async function postKey({ request, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecent(deps, person)
      const form = await readForm(request)
      const now = deps.now()
      const read = readNewKey(form, now)
      if (!read.ok) return answerPage(set, keysPage({ ...inside, ...(await shown(deps, inside)), ...read }), 400)
      await takeOnce(deps.sql, form.get('form'))
      const { name, expiresAt, fields } = read
      const made = await createKey(deps, { person, accountId: member.accountId, name, expiresAt })
      if (made.ok) return answerPage(set, secretPage({ ...inside, apiOrigin: deps.apiOrigin, name, secret: made.value.api_key }))
      const notice: Notice = { kind: 'wrong', text: made.message }
      return answerPage(set, keysPage({ ...inside, ...(await shown(deps, inside)), fields, notice }), made.status)
    })
    .get('/accounts/:id/keys/:key/rotate', async function getRotation({ params, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecent(deps, person)
      return answerPage(set, rotatePage({ ...inside, key: await workingKey(deps, inside, params.key), formId: newFormId() }))
    })
    .post('/accounts/:id/keys/:key/rotate', async function postRotation({ request, params, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecent(deps, person)
      const form = await readForm(request)
      const key = await workingKey(deps, inside, params.key)
      await takeOnce(deps.sql, form.get('form'))
      const made = await rotateKey(deps, { ...named(inside), keyId: key.key_id, name: key.name })
      if (made.ok) {
        const formerUntil = new Date(made.value.former_until ?? deps.now().getTime() + overlapMs)
        return answerPage(
          set,
          secretPage({ ...inside, apiOrigin: deps.apiOrigin, name: key.name, secret: made.value.api_key, formerUntil }),
        )
      }
      const notice: Notice = { kind: 'wrong', text: made.message }
      return answerPage(set, rotatePage({ ...inside, key, formId: newFormId(), notice }), made.status)
    })
    .get('/accounts/:id/keys/:key/revoke', async function getRevocation({ params, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      requireRole(member, 'owner')
      return answerPage(set, revokePage({ ...inside, key: await workingKey(deps, inside, params.key) }))
    })
    .post('/accounts/:id/keys/:key/revoke', async function postRevocation({ params, set, person, member, memberships }) {
      const inside = { person, member, memberships }
      requireRole(member, 'owner')
      const key = await workingKey(deps, inside, params.key)
      await revokeKey(deps, { ...named(inside), keyId: key.key_id, name: key.name })
      return seeOther(set, `${accountPath(member.accountId, 'keys')}?done=revoked`)
    })

const named = ({ person, member }: Inside) => ({ person, accountId: member.accountId })

const listKeys = async ({ gateway }: KeysDeps, { person, member }: Inside): Promise<KeyView[]> =>
  (await gateway.get<{ data: KeyView[] }>(person, `/accounts/${member.accountId}/keys`)).data

const shown = async (deps: KeysDeps, inside: Inside) => ({ keys: await listKeys(deps, inside), now: deps.now(), formId: newFormId() })

/** A key of this account that still works; everything else is not found. */
async function workingKey(deps: KeysDeps, inside: Inside, keyId: string): Promise<KeyView> {
  const key = (await listKeys(deps, inside)).find(({ key_id }) => key_id === keyId)
  if (!key || stateOf(key, deps.now()) !== 'active') throw new Failure<Reason>('not_found')
  return key
}
