import { Failure } from '@filmgate/kit/failure'
import type { Membership } from '../accounts/account-repository'
import type { Reason } from '../errors'
import type { AccountView, Actor, Gateway, KeyView, Page, TaskView } from '../gateway/gateway'
import type { DayValue } from '../layout/chart'
import { creditsByDay, lastDays, readSums } from '../usage/sum-days'

/** What moves while one looks at it. */
export type Live = { account: AccountView; tasks: TaskView[] }
export type Overview = Live & { days: DayValue[]; hasKeys: boolean }

const tasksShown = 6
const daysShown = 30

type Asked = { gateway: Gateway; actor: Actor; member: Membership }

/** Undefined where the gateway doesn't know the account yet: it is being opened. */
export async function readLive({ gateway, actor, member }: Asked): Promise<Live | undefined> {
  const path = `/accounts/${member.accountId}`
  const [account, tasks] = await Promise.all([
    orUndefined(gateway.get<AccountView>(actor, path)),
    orUndefined(gateway.get<Page<TaskView>>(actor, `${path}/tasks?limit=${tasksShown}`)),
  ])
  return account && tasks && { account, tasks: tasks.data }
}

export async function readOverview(asked: Asked, now: Date): Promise<Overview | undefined> {
  const { gateway, actor, member } = asked
  const { accountId } = member
  const range = lastDays(daysShown, now)
  const [live, sums, keys] = await Promise.all([
    readLive(asked),
    orUndefined(readSums(gateway, actor, { accountId, range })),
    orUndefined(gateway.get<{ data: KeyView[] }>(actor, `/accounts/${accountId}/keys`)),
  ])
  return live && sums && keys && { ...live, days: creditsByDay(sums, range), hasKeys: keys.data.length > 0 }
}

const orUndefined = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch(error => {
    if (error instanceof Failure && (error as Failure<Reason>).reason === 'not_found') return undefined
    throw error
  })
