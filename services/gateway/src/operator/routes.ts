import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import { operatorDoor } from '@filmgate/kit/request/operator-door'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type OpenAccountDeps, openAccount } from '../accounts/open-account'
import { creditChanges } from '../credit-changes/operator-routes'
import type { Reason } from '../errors'
import { createKey } from '../keys/create-key'
import { listKeys, revokeKey } from '../keys/key-repository'
import { readExpiry } from '../keys/read-expiry'
import { type RotateDeps, rotateKey } from '../keys/rotate-key'
import { type LimitAddressDeps, limitAddress } from '../limit-address'
import { retellTask } from '../retelling/retell'
import { findTasks, listReviews, listTaskEvents } from '../tasks/task-repository'
import { taskView } from '../tasks/task-view'

export type OperatorDeps = OpenAccountDeps & RotateDeps & LimitAddressDeps & { sql: Sql; operatorToken: string }

const credits = (minimum: number) => Type.Integer({ minimum, maximum: 1_000_000_000_000 })
const Account = Type.Object(
  { name: words(200), credits: credits(0), starter_credits: Type.Optional(credits(0)) },
  { additionalProperties: false },
)
const Key = Type.Object({ name: words(200), expires_at: Type.Optional(Type.String({ maxLength: 40 })) }, { additionalProperties: false })
const reviewsMax = 500

/** What operators may do, behind a token of their own; `bun run ops` speaks to it. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorDoor(deps.operatorToken, request => limitAddress(deps, request)))
    .use(accountRoutes(deps))
    .use(creditChanges(deps))
    .use(keyRoutes(deps))
    .get('/tasks/:id', async function getTask({ params }) {
      const [task] = await findTasks(deps.sql, [params.id])
      if (!task) throw new Failure<Reason>('task_not_found')
      const { fingerprint, ...shown } = task
      return { task: { ...shown, fingerprint: fingerprint.toString('hex') }, events: await listTaskEvents(deps.sql, params.id) }
    })
    .post('/tasks/:id/retell', async function postRetell({ params }) {
      return { told: await retellTask(deps, params.id) }
    })
    .get('/reviews', async function getReviews() {
      return { data: (await listReviews(deps.sql, reviewsMax)).map(task => ({ account_id: task.accountId, ...taskView(task) })) }
    })

const accountRoutes = (deps: OperatorDeps) =>
  new Elysia({ normalize: false }).post(
    '/accounts',
    async function postAccount({ request }) {
      const { name, credits, starter_credits = 0 } = await readJsonAs(Account, request)
      const { accountId, apiKey } = await openAccount(deps, { name, credits, starterCredits: starter_credits })
      return { account_id: accountId, api_key: apiKey }
    },
    takes(Account),
  )

const keyRoutes = (deps: OperatorDeps) =>
  new Elysia({ normalize: false })
    .post(
      '/accounts/:id/keys',
      async function postKey({ request, params }) {
        const { name, expires_at } = await readJsonAs(Key, request)
        const { keyId, apiKey } = await createKey(deps, {
          accountId: params.id,
          name,
          expiresAt: expires_at === undefined ? null : readExpiry(expires_at, deps.now()),
        })
        return { key_id: keyId, api_key: apiKey }
      },
      takes(Key),
    )
    .get('/accounts/:id/keys', async function getKeys({ params }) {
      return { data: await listKeys(deps.sql, params.id) }
    })
    .delete('/keys/:id', async function deleteKey({ params }) {
      if (!(await revokeKey(deps.sql, params.id))) throw new Failure<Reason>('key_not_found')
      return { key_id: params.id, revoked: true }
    })
    .post('/keys/:id/rotate', async function postRotation({ params }) {
      const { keyId, apiKey } = await rotateKey(deps, params.id)
      return { key_id: keyId, api_key: apiKey }
    })
