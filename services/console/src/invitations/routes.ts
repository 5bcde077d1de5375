import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { type PersonDeps, requirePerson } from '../http/person'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import { accept, findByToken, isInvitee } from './accept'
import { acceptPage, endedPage, otherAddressPage, signedOutPage } from './page'

export type InvitationDeps = PersonDeps & { sql: Sql }

/** /invitations/:token: the person with the invited address joins the account. */
export const invitations = (deps: InvitationDeps) =>
  new Elysia({ name: 'invitations', normalize: false })
    .get('/invitations/:token', async function getInvitation({ request, params: { token }, set }) {
      const [person, invited] = [await deps.findPerson(request), await findByToken(deps.sql, token)]
      if (!invited) return answerPage(set, endedPage(person), 404)
      if (!person) return answerPage(set, signedOutPage(invited, `/invitations/${token}`))
      return isInvitee(invited, person) ? answerPage(set, acceptPage(person, invited)) : answerPage(set, otherAddressPage(person), 403)
    })
    .post('/invitations/:token', async function postInvitation({ request, params: { token }, set }) {
      const person = await requirePerson(deps, request)
      const invited = await findByToken(deps.sql, token)
      if (!invited) return answerPage(set, endedPage(person), 404)
      if (!isInvitee(invited, person)) return answerPage(set, otherAddressPage(person), 403)
      const joined = await accept(deps, person, invited)
      return joined ? seeOther(set, accountPath(invited.accountId)) : answerPage(set, endedPage(person), 404)
    })
