import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { listMemberships, type Membership } from '../accounts/account-repository'
import { requireRole } from '../accounts/require-member'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import { type Person, type PersonDeps, requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { readNewKey } from '../keys/read-new-key'
import { answerPage, seeOther } from '../layout/answer-page'
import { approveDeviceLogin, denyDeviceLogin, findTypedLogin } from './answer-device-login'
import { answeredPage, approvalPage, codePage, devicePath, isAnswer } from './page'

export type DeviceLoginDeps = PersonDeps & { sql: Sql; now(): Date }

/** /device: a person approves or denies the command line whose code they see. Owners of an account can approve. */
export const deviceLogin = (deps: DeviceLoginDeps) =>
  new Elysia({ name: 'device-login', normalize: false })
    .use(requireSignIn(deps))
    .get(devicePath, async function getDevice({ request, set, person }) {
      const query = new URL(request.url).searchParams
      const done = query.get('done')
      if (isAnswer(done)) return answerPage(set, answeredPage(person, done))
      const code = query.get('user_code')
      if (code === null) return answerPage(set, codePage({ person }))
      const login = await findTypedLogin(deps, { person, text: code })
      if (!login) return refuseCode(set, person, code)
      const owned = await ownedAccounts(deps, person)
      if (owned.length > 0) await requireRecentSignIn(deps, person)
      return answerPage(set, approvalPage({ person, login, owned }))
    })
    .post(
      devicePath,
      async function postDevice({ request, set, person }) {
        const form = await readForm(request)
        const code = form.get('user_code')
        if (form.get('answer') === 'deny') {
          const denied = await findTypedLogin(deps, { person, text: code })
          return denied && (await denyDeviceLogin(deps, denied)) ? seeOther(set, donePath('denied')) : refuseCode(set, person, code)
        }
        const { accountId } = await requireOwned(deps, person, form.get('account'))
        await requireRecentSignIn(deps, person)
        const login = await findTypedLogin(deps, { person, text: code })
        if (!login) return refuseCode(set, person, code)
        const key = readNewKey(form, deps.now())
        if (!key.ok) {
          const owned = await ownedAccounts(deps, person)
          return answerPage(set, approvalPage({ person, login, owned, accountId, fields: key.fields, issues: key.issues }), 400)
        }
        const approval = { person, login, accountId, keyName: key.name, keyExpiresAt: key.expiresAt }
        return (await approveDeviceLogin(deps, approval)) ? seeOther(set, donePath('approved')) : refuseCode(set, person, code)
      },
      { parse: 'none' },
    )

const donePath = (answer: 'approved' | 'denied') => `${devicePath}?done=${answer}`

const refusedText = 'This code is wrong, has expired or was used. Compare it with your terminal, or start again there.'

const refuseCode = (set: Parameters<typeof answerPage>[0], person: Person, code: string): string =>
  answerPage(set, codePage({ person, code: code.slice(0, codeShownMax), issue: refusedText }), 400)

const codeShownMax = 20

const ownedAccounts = async ({ sql }: DeviceLoginDeps, person: Person): Promise<Membership[]> =>
  (await listMemberships(sql, person.id)).filter(({ role }) => role === 'owner')

/** A foreign account is answered like an unknown one. */
async function requireOwned({ sql }: DeviceLoginDeps, person: Person, accountId: string): Promise<Membership> {
  const member = (await listMemberships(sql, person.id)).find(each => each.accountId === accountId)
  if (!member) throw new Failure<Reason>('not_found')
  requireRole(member, 'owner')
  return member
}
