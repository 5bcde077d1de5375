import { Failure } from '@filmgate/kit/failure'
import { DispatcherTask } from '@filmgate/proto/operator/attempt'
import { LedgerTask } from '@filmgate/proto/operator/books'
import { GatewayTask, ProbeTask } from '@filmgate/proto/operator/task'
import type { Reason } from '../../errors'
import type { Operator } from '../access/require-operator'
import { errorMessage, type Service, type ServiceResult, type Services } from '../services/services'

/** What each service knows of a task; undefined if it doesn't know it, or is unavailable. */
export type TaskHistory = {
  taskId: string
  gateway: GatewayTask | undefined
  ledger: LedgerTask | undefined
  probe: ProbeTask | undefined
  dispatcher: DispatcherTask | undefined
  /** Messages of the services that did not answer, or rejected the request. */
  unavailable: string[]
  notFoundIn: Service[]
}

/** A task's whole history from the four services. Throws not found if none of them knows it. */
export async function readTaskHistory({ services }: { services: Services }, { person }: Operator, taskId: string): Promise<TaskHistory> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const [gateway, ledger, probe, dispatcher] = await Promise.all([
    services.ask(person, 'gateway', { answer: GatewayTask, path }),
    services.ask(person, 'ledger', { answer: LedgerTask, path }),
    services.ask(person, 'media-probe', { answer: ProbeTask, path }),
    services.ask(person, 'dispatcher', { answer: DispatcherTask, path }),
  ])
  const answers: [Service, ServiceResult<unknown>][] = [
    ['gateway', gateway],
    ['ledger', ledger],
    ['media-probe', probe],
    ['dispatcher', dispatcher],
  ]
  const notFoundIn = answers.flatMap(([service, response]) => (isNotFound(response) ? [service] : []))
  const unavailable = answers.flatMap(([, response]) => (response.ok || isNotFound(response) ? [] : [errorMessage(response)]))
  if (notFoundIn.length === answers.length) throw new Failure<Reason>('not_found')
  return {
    taskId,
    gateway: known(gateway),
    ledger: known(ledger),
    probe: known(probe),
    dispatcher: known(dispatcher),
    unavailable,
    notFoundIn,
  }
}

/** 400: an invalid id. */
const isNotFound = (response: ServiceResult<unknown>): boolean => !response.ok && (response.status === 404 || response.status === 400)

const known = <T>(response: ServiceResult<T>): T | undefined => (response.ok ? response.value : undefined)
