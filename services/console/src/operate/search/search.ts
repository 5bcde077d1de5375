import { AccountRow, GatewayAccount, OwnedKey, RequestRow } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { ProviderAttempt } from '@filmgate/proto/operator/attempt'
import { GatewayTask } from '@filmgate/proto/operator/task'
import type { Static, TSchema } from '@sinclair/typebox'
import { searchPurchases } from '../../billing/purchases/search-purchases'
import { isRequestId } from '../../requests/read-filter'
import type { OperateDeps, Operator } from '../access/require-operator'
import { accountPath, personPath, purchasesPathOf, requestsPathOf, taskPath } from '../layout/menu'
import { searchPeople } from '../people/person-repository'
import { errorMessage, type Service } from '../services/services'

/** What a text was found to be. `detail`: what tells it from others of its kind. */
export type Hit = { kind: string; title: string; detail: string; path: string }
/** `errors`: services that did not say whether they know it. */
export type Found = { hits: Hit[]; errors: string[] }

type SearchDeps = Pick<OperateDeps, 'sql' | 'services'>

export const searchCharactersMax = 200
const rowsMax = 20

const idForm = /^[!-+\--~]{4,}$/
const keyForm = /^(?:sk_live_)?([0-9A-Za-z]{12})(?:[0-9A-Za-z]{49})?$/

/**
 * Looks for a text everywhere at once: as an id of a task, an account, a key, a request, a purchase or of a provider's task, and as a part of
 * a name or an e-mail address.
 */
export async function searchEverywhere(deps: SearchDeps, operator: Operator, text: string): Promise<Found> {
  const [, keyId] = keyForm.exec(text) ?? []
  const isId = idForm.test(text)
  const named = encodeURIComponent(text)
  const errors: string[] = []

  /** Undefined where the service knows nothing of it. */
  async function ask<S extends TSchema>(service: Service, answer: S, path: string): Promise<Static<S> | undefined> {
    const result = await deps.services.ask(operator.person, service, { answer, path })
    if (result.ok) return result.value
    if (result.status !== 404 && result.status !== 400) errors.push(errorMessage(result))
    return undefined
  }

  const [task, account, key, requests, attempts, accounts, people, purchases] = await Promise.all([
    isId ? ask('gateway', GatewayTask, `/tasks/${named}`) : undefined,
    isId ? ask('gateway', GatewayAccount, `/accounts/${named}`) : undefined,
    keyId ? ask('gateway', OwnedKey, `/keys/${keyId}`) : undefined,
    isRequestId(text) ? ask('gateway', listOf(RequestRow), `/requests?request=${named}&limit=${rowsMax}`) : undefined,
    isId ? ask('dispatcher', listOf(ProviderAttempt), `/attempts?provider_task_id=${named}`) : undefined,
    ask('gateway', listOf(AccountRow), `/accounts?name=${named}&limit=${rowsMax}`),
    searchPeople(deps.sql, text, rowsMax),
    isId ? searchPurchases(deps.sql, text) : [],
  ])
  const hits: Hit[] = [
    ...(task ? [{ kind: 'Task', title: text, detail: `of ${task.task.accountId}, ${task.task.model}`, path: taskPath(text) }] : []),
    ...(attempts?.data ?? []).map(({ task_id, provider, state }) => ({
      ...{ kind: 'Task', title: task_id, detail: `${provider} has it as ${text}: ${state}`, path: taskPath(task_id) },
    })),
    ...(account ? [accountHit(account.account)] : []),
    ...(accounts?.data ?? []).map(accountHit),
    ...(key
      ? [{ kind: 'Key', title: `${key.name} (${key.prefix}…)`, detail: `of ${key.account_id}`, path: accountPath(key.account_id) }]
      : []),
    ...requestHits(text, requests?.data ?? []),
    ...people.map(({ id, name, email }) => ({ kind: 'Person', title: name, detail: email, path: personPath(id) })),
    ...purchases.map(({ id, accountId, packName, state }) => ({
      ...{ kind: 'Purchase', title: id, detail: `${packName} for ${accountId}: ${state}`, path: purchasesPathOf(accountId) },
    })),
  ]
  return { hits, errors: [...new Set(errors)] }
}

const accountHit = ({ account_id, name }: AccountRow): Hit => ({
  ...{ kind: 'Account', title: name, detail: account_id, path: accountPath(account_id) },
})

/** A client chooses the ID, so several requests may have it: they are one page. */
function requestHits(id: string, [first, ...others]: RequestRow[]): Hit[] {
  if (!first) return []
  const { method, path, status, code, account_id } = first
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  const detail = `of ${account_id}: ${status}${code === null ? '' : ` ${code}`}${more}`
  return [{ kind: 'Request', title: `${method} ${path}`, detail, path: requestsPathOf({ request: id }) }]
}
