import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { closeAccount } from '../accounts/close-account'
import { grantStarterCredits, type StarterDeps } from '../accounts/grant-starter-credits'
import { type PutAccountDeps, putAccount } from '../accounts/put-account'
import { LowBalanceBody, setLowBalance } from '../accounts/set-low-balance'
import { readAlone } from '../database/batched-read'
import { type AuthDeps, accountAuth, consoleAuth } from './auth'
import { countUnfinished } from './task-repository'

export type AccountRouteDeps = AuthDeps & PutAccountDeps & StarterDeps & { unfinishedTasksMax: number }

const Account = Type.Object({ name: words(200) }, { additionalProperties: false })

export const openingRoute = (deps: AccountRouteDeps) =>
  new Elysia({ normalize: false }).use(consoleAuth(deps)).put(
    '/accounts/:id',
    async function openAccount({ request, params: { id }, set }) {
      const { name } = await readJsonAs(Account, request)
      const opened = await putAccount(deps, { accountId: id, name, operator: operatorName(request) })
      set.status = opened ? 201 : 200
      return { account_id: id, name }
    },
    takes(Account),
  )

export const accountRoutes = (deps: AccountRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id', async function getAccount({ account, leftMs }) {
      return {
        account_id: account.id,
        name: account.name,
        available_credits: account.available,
        starter_credits: account.starter,
        owed_credits: account.owed,
        low_balance_credits: account.lowBalance,
        unfinished: await readAlone(countUnfinished(deps.sql, account.id, deps.now()), leftMs),
        unfinished_max: account.unfinishedTasksMax ?? deps.unfinishedTasksMax,
        created_at: account.createdAt.toISOString(),
        closed_at: account.closedAt?.toISOString() ?? null,
      }
    })
    .delete('/accounts/:id', async function deleteAccount({ request, account }) {
      await closeAccount(deps, { accountId: account.id, operator: operatorName(request) })
      return { account_id: account.id, closed: true }
    })
    .put(
      '/accounts/:id/low-balance',
      async function putLowBalance({ request, account }) {
        const { credits } = await readJsonAs(LowBalanceBody, request)
        await setLowBalance(deps, { accountId: account.id, credits, operator: operatorName(request) })
        return { low_balance_credits: credits }
      },
      takes(LowBalanceBody),
    )
    .post('/accounts/:id/starter-credits', async function postStarterCredits({ request, account, person }) {
      const credits = await grantStarterCredits(deps, { accountId: account.id, person, operator: operatorName(request) })
      return { granted: credits > 0, credits }
    })
