import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { personPage } from './page'
import { findPerson, listAccounts, listMails } from './person-repository'

const mailsMax = 50
const personIdForm = /^[\w-]{1,100}$/

export const people = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get(
    '/operate/people/:person',
    async function getPerson({ operator, params, set }) {
      const { sql } = deps
      const found = personIdForm.test(params.person) ? await findPerson(sql, params.person) : undefined
      if (!found) throw new Failure<Reason>('not_found')
      const [accounts, mails] = await Promise.all([listAccounts(sql, found.id), listMails(sql, found.email, mailsMax)])
      return answerPage(set, personPage({ operator, found, accounts, mails }))
    },
    needsRole('support'),
  )
