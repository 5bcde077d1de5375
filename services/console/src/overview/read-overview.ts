import { Failure } from '@filmgate/kit/failure'
import type { Membership } from '../accounts/account-repository'
import type { Reason } from '../errors'
import type { AccountView, Actor, Gateway, KeyView, Page, TaskView } from '../gateway/gateway'
import type { DayValue } from '../layout/chart'
import { creditsByDay, lastDays, readSums } from '../usage/sum-days'
import { forecastDays, forecastMonth, type MonthForecast } from './month-forecast'

/** The data of the polled part. */
export type LiveOverview = { account: AccountView; tasks: TaskView[] }
export type Overview = LiveOverview & { days: DayValue[]; forecast: MonthForecast; hasKeys: boolean }

const tasksShown = 6

type ReadInput = { gateway: Gateway; actor: Actor; member: Membership }

/** Undefined if the gateway doesn't know the account yet: it is being opened. */
export async function readLive({ gateway, actor, member }: ReadInput): Promise<LiveOverview | undefined> {
  const path = `/accounts/${member.accountId}`
  const [account, tasks] = await Promise.all([
    orUndefined(gateway.get<AccountView>(actor, path)),
    orUndefined(gateway.get<Page<TaskView>>(actor, `${path}/tasks?limit=${tasksShown}`)),
  ])
  return account && tasks && { account, tasks: tasks.data }
}

export async function readOverview(readInput: ReadInput, now: Date): Promise<Overview | undefined> {
  const { gateway, actor, member } = readInput
  const { accountId } = member
  const range = lastDays(forecastDays, now)
  const [live, sums, keys] = await Promise.all([
    readLive(readInput),
    orUndefined(readSums(gateway, actor, { accountId, range })),
    orUndefined(gateway.get<{ data: KeyView[] }>(actor, `/accounts/${accountId}/keys`)),
  ])
  if (!live || !sums || !keys) return undefined
  const days = creditsByDay(sums, range)
  return { ...live, days, forecast: forecastMonth(days, now), hasKeys: keys.data.length > 0 }
}

const orUndefined = <T>(readInput: Promise<T>): Promise<T | undefined> =>
  readInput.catch(error => {
    if (error instanceof Failure && (error as Failure<Reason>).reason === 'not_found') return undefined
    throw error
  })
