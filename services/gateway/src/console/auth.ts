import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { noteRequest } from '@filmgate/kit/http/spans'
import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { type AccountState, findAccountState } from '../accounts/account-repository'
import { readAlone } from '../database/batched-read'
import type { Reason } from '../errors'
import { type LimitAddressDeps, limitAddress } from '../rate-limit/limit-address'

export type AuthDeps = LimitAddressDeps & { sql: Sql; consoleTokens: Secrets }

const personHeader = 'x-filmgate-person'
const idForm = /^[A-Za-z0-9_-]{1,64}$/
const pathForm = /^[!-~]{1,200}$/
/** As for clients: the console is answered within 5 s although the database is gone. */
export const databaseMsMax = 4_800

/**
 * Before every route of the console: its token (401), then what the path names and the person on whose behalf it asks (400). Wrong tokens are
 * limited by address. The console decides who may do what; the gateway that nothing of another account is touched.
 */
export const consoleAuth = (deps: AuthDeps) =>
  requireBearer(deps.consoleTokens, request => {
    limitAddress(deps, request)
    return new Failure<Reason>('console_token_required')
  }).derive({ as: 'scoped' }, function identify({ request, params = {} }) {
    const issues = Object.entries(params)
      .filter(([name, value]) => !(name === 'id' ? idForm : pathForm).test(String(value)))
      .map(([path]) => ({ path, rule: 'id', message: `${path} is no id` }))
    const person = request.headers.get(personHeader) ?? ''
    if (!idForm.test(person))
      issues.push({ path: 'X-Filmgate-Person', rule: 'id', message: 'X-Filmgate-Person must be 1 to 64 letters, digits, - and _' })
    if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
    return { person }
  })

/** And puts the account of the path on the context (404 where there is none), and what the database may take yet. */
export const accountAuth = (deps: AuthDeps) =>
  consoleAuth(deps).derive({ as: 'scoped' }, async function findPathAccount({ request, params, person }) {
    const askedAt = performance.now()
    const account = await readAlone(findAccountState(deps.sql, (params as { id: string }).id), databaseMsMax)
    if (!account) throw new Failure<Reason>('account_not_found')
    noteRequest(request, { account_id: account.id, person_id: person })
    return { account, leftMs: databaseMsMax - (performance.now() - askedAt) }
  })

/** Refuses what a closed account may no longer do. */
export function throwIfClosed({ closedAt }: AccountState): void {
  if (closedAt) throw new Failure<Reason>('account_closed')
}
