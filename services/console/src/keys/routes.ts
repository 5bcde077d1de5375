import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import type { KeyView } from '../gateway/gateway'
import { requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { newFormId, submitOnce } from '../http/submit-once'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { bindKey } from './bindings/bind-key'
import { bindingsOf, bindingsPage, readBindings } from './bindings/page'
import { revokePage, rotatePage } from './confirm-page'
import { createKey, type KeyDeps } from './create-key'
import { keyState } from './key-state'
import { keysPage } from './page'
import { readNewKey } from './read-new-key'
import { revokeKey } from './revoke-key'
import { overlapMs, rotateKey } from './rotate-key'
import { secretPage } from './secret-page'

export type KeysDeps = MemberDeps & KeyDeps & { now(): Date; apiOrigin: string; apiUrl: string }

/**
 * The keys of an account: all members see them, owners create, rotate and revoke them. `/keys` is the address that the
 * reference links to: it leads to the person's first account, of those they own if there are any.
 */
export const keys = (deps: KeysDeps) =>
  new Elysia({ name: 'keys', normalize: false })
    .use(
      new Elysia({ normalize: false }).use(requireSignIn(deps)).get('/keys', async function getKeysOfPerson({ person, set }) {
        const memberships = await listMemberships(deps.sql, person.id)
        const member = memberships.find(({ role }) => role === 'owner') ?? memberships[0]
        return seeOther(set, member ? accountPath(member.accountId, 'keys') : '/accounts')
      }),
    )
    .use(requireMember(deps))
    .get('/accounts/:id/keys', async function getKeys({ query, set, person, member, memberships }) {
      const context = { person, member, memberships }
      const text = doneTexts[String(query.done)]
      const notice: Notice | undefined = text === undefined ? undefined : { kind: 'done', text }
      return answerPage(set, keysPage({ ...context, ...(await pageInput(deps, context)), notice }))
    })
    .post('/accounts/:id/keys', async function postKey({ request, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const now = deps.now()
      const read = readNewKey(form, now)
      if (!read.ok) return answerPage(set, keysPage({ ...context, ...(await pageInput(deps, context)), ...read }), 400)
      await submitOnce(deps.sql, form.get('form'))
      const { name, expiresAt, fields } = read
      const made = await createKey(deps, { person, accountId: member.accountId, name, expiresAt })
      if (made.ok) return answerPage(set, secretPage({ ...context, ...apiOf(deps), name, secret: made.value.api_key }))
      const notice: Notice = { kind: 'wrong', text: made.message }
      return answerPage(set, keysPage({ ...context, ...(await pageInput(deps, context)), fields, notice }), made.status)
    })
    .get('/accounts/:id/keys/:key/rotate', async function getRotation({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      return answerPage(set, rotatePage({ ...context, key: await requireActiveKey(deps, context, params.key), formId: newFormId() }))
    })
    .post('/accounts/:id/keys/:key/rotate', async function postRotation({ request, params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const key = await requireActiveKey(deps, context, params.key)
      await submitOnce(deps.sql, form.get('form'))
      const made = await rotateKey(deps, { ...keyInput(context), keyId: key.key_id, name: key.name })
      if (made.ok) {
        const previousUntil = new Date(made.value.former_until ?? deps.now().getTime() + overlapMs)
        return answerPage(set, secretPage({ ...context, ...apiOf(deps), name: key.name, secret: made.value.api_key, previousUntil }))
      }
      const notice: Notice = { kind: 'wrong', text: made.message }
      return answerPage(set, rotatePage({ ...context, key, formId: newFormId(), notice }), made.status)
    })
    .get('/accounts/:id/keys/:key/restrict', async function getRestriction({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const key = await requireActiveKey(deps, context, params.key)
      return answerPage(set, bindingsPage({ ...context, key, fields: bindingsOf(key) }))
    })
    .post('/accounts/:id/keys/:key/restrict', async function postRestriction({ request, params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const { fields, bindings } = readBindings(await readForm(request))
      const key = await requireActiveKey(deps, context, params.key)
      const bound = await bindKey(deps, { ...keyInput(context), keyId: key.key_id, name: key.name, ...bindings })
      if (!bound.ok) return answerPage(set, bindingsPage({ ...context, key, fields, refused: bound }), bound.status)
      return seeOther(set, `${accountPath(member.accountId, 'keys')}?done=restricted`)
    })
    .get('/accounts/:id/keys/:key/revoke', async function getRevocation({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      return answerPage(set, revokePage({ ...context, key: await requireActiveKey(deps, context, params.key) }))
    })
    .post('/accounts/:id/keys/:key/revoke', async function postRevocation({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      const key = await requireActiveKey(deps, context, params.key)
      await revokeKey(deps, { ...keyInput(context), keyId: key.key_id, name: key.name })
      return seeOther(set, `${accountPath(member.accountId, 'keys')}?done=revoked`)
    })

const doneTexts: Record<string, string | undefined> = { revoked: 'The key is revoked.', restricted: 'The key’s restrictions are saved.' }

const apiOf = ({ apiOrigin, apiUrl }: KeysDeps) => ({ apiOrigin, apiUrl })

const keyInput = ({ person, member }: MemberContext) => ({ person, accountId: member.accountId })

const listKeys = async ({ gateway }: KeysDeps, { person, member }: MemberContext): Promise<KeyView[]> =>
  (await gateway.get<{ data: KeyView[] }>(person, `/accounts/${member.accountId}/keys`)).data

const pageInput = async (deps: KeysDeps, context: MemberContext) => ({
  keys: await listKeys(deps, context),
  now: deps.now(),
  formId: newFormId(),
})

/** Throws not found for anything but an active key of this account. */
async function requireActiveKey(deps: KeysDeps, context: MemberContext, keyId: string): Promise<KeyView> {
  const key = (await listKeys(deps, context)).find(({ key_id }) => key_id === keyId)
  if (!key || keyState(key, deps.now()) !== 'active') throw new Failure<Reason>('not_found')
  return key
}
