import { act } from '@filmgate/kit/operator/act'
import { AccountRow, GatewayAccount } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { LedgerAccount } from '@filmgate/proto/operator/books'
import { Elysia } from 'elysia'
import { readForm } from '../../door/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { actPath, noticeOf, shownAct } from '../acts/shown-act'
import { type OperateDeps, operatorOf } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { secretPage } from '../layout/secret-page'
import { required } from '../services/required'
import { accountPage } from './account-page'
import { type ChangeKind, changeCredits } from './change-credits'
import { openAccount } from './open-account'
import { accountsPage } from './page'

export const accounts = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(operatorOf(deps))
    .get('/operate/accounts', async function getAccounts({ operator, request, set }) {
      const asked = new URL(request.url).searchParams
      const query = new URLSearchParams({ limit: '50' })
      for (const name of ['name', 'cursor']) if (asked.get(name)) query.set(name, asked.get(name) ?? '')
      const [told, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: listOf(AccountRow), path: `/accounts?${query}` }),
        shownAct(deps.sql, request, operator),
      ])
      const name = asked.get('name') ?? ''
      return answerPage(set, accountsPage({ operator, url: request.url, name, list: required(told), last, notice: noticeOf(last) }))
    })
    .post(
      '/operate/accounts',
      async function postAccount({ operator, request, set }) {
        const form = await readForm(request)
        const { act, made } = await openAccount(deps, operator, form)
        if (!made) return seeOther(set, actPath('/operate/accounts', act))
        const words = `The first key of the account “${form.get('name')}”, ${made.account_id}.`
        const path = actPath(accountPath(made.account_id), act)
        return answerPage(set, secretPage({ operator, title: 'Account opened', secret: made.api_key, words, path }))
      },
      { ...act('money'), parse: 'none' },
    )
    .get('/operate/accounts/:id', async function getAccount({ operator, request, params: { id }, set }) {
      const path = `/accounts/${encodeURIComponent(id)}`
      const [gateway, ledger, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: GatewayAccount, path }),
        deps.services.ask(operator.person, 'ledger', { answer: LedgerAccount, path }),
        shownAct(deps.sql, request, operator),
      ])
      return answerPage(set, accountPage({ operator, known: required(gateway), ledger, last, notice: noticeOf(last) }))
    })
    .post('/operate/accounts/:id/grants', postChange(deps, 'grant'), { ...act('money'), parse: 'none' })
    .post('/operate/accounts/:id/debits', postChange(deps, 'debit'), { ...act('money'), parse: 'none' })

type Posted = {
  operator: Parameters<typeof changeCredits>[1]
  request: Request
  params: { id: string }
  set: Parameters<typeof seeOther>[0]
}

const postChange = (deps: OperateDeps, kind: ChangeKind) =>
  async function postChange({ operator, request, params: { id }, set }: Posted) {
    const done = await changeCredits(deps, operator, await readForm(request), { kind, accountId: id })
    return seeOther(set, actPath(accountPath(id), done))
  }
