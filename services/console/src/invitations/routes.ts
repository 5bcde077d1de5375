import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { type PersonDeps, requirePerson } from '../door/person'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { accept, findByToken, isFor } from './accept'
import { acceptPage, endedPage, otherAddressPage, signedOutPage } from './page'

export type InvitationDeps = PersonDeps & { sql: Sql }

/** /invitations/:token, where the mail's link leads: whoever has the address it was sent to joins the account. */
export const invitations = (deps: InvitationDeps) =>
  new Elysia({ name: 'invitations', normalize: false })
    .get('/invitations/:token', async function getInvitation({ request, params: { token }, set }) {
      const [person, invited] = [await deps.findPerson(request), await findByToken(deps.sql, token)]
      if (!invited) return answerPage(set, endedPage(person), 404)
      if (!person) return answerPage(set, signedOutPage(`/invitations/${token}`))
      return isFor(invited, person) ? answerPage(set, acceptPage(person, invited)) : answerPage(set, otherAddressPage(person), 403)
    })
    .post('/invitations/:token', async function postInvitation({ request, params: { token }, set }) {
      const person = await requirePerson(deps, request)
      const invited = await findByToken(deps.sql, token)
      if (!invited) return answerPage(set, endedPage(person), 404)
      if (!isFor(invited, person)) return answerPage(set, otherAddressPage(person), 403)
      const joined = await accept(deps, person, invited)
      return joined ? seeOther(set, accountPath(invited.accountId)) : answerPage(set, endedPage(person), 404)
    })
