import { Failure } from '@filmgate/kit/failure'
import { DispatcherTask } from '@filmgate/proto/operator/attempt'
import { LedgerTask } from '@filmgate/proto/operator/books'
import { GatewayTask, ProbeTask } from '@filmgate/proto/operator/task'
import type { Reason } from '../../errors'
import type { Operator } from '../door/operator-of'
import { type Service, type Services, type Told, wordsOf } from '../services/services'

/** What each service tells of a task; undefined where it knows nothing of it, or is silent. */
export type Story = {
  taskId: string
  gateway: GatewayTask | undefined
  ledger: LedgerTask | undefined
  probe: ProbeTask | undefined
  dispatcher: DispatcherTask | undefined
  /** Of those that give no answer, or refuse one. */
  silent: string[]
  unknownTo: Service[]
}

/** A task's whole history as the four services tell it. One that none of them knows is not there. */
export async function readStory({ services }: { services: Services }, { person }: Operator, taskId: string): Promise<Story> {
  const path = `/tasks/${encodeURIComponent(taskId)}`
  const [gateway, ledger, probe, dispatcher] = await Promise.all([
    services.ask(person, 'gateway', { answer: GatewayTask, path }),
    services.ask(person, 'ledger', { answer: LedgerTask, path }),
    services.ask(person, 'media-probe', { answer: ProbeTask, path }),
    services.ask(person, 'dispatcher', { answer: DispatcherTask, path }),
  ])
  const answers: [Service, Told<unknown>][] = [
    ['gateway', gateway],
    ['ledger', ledger],
    ['media-probe', probe],
    ['dispatcher', dispatcher],
  ]
  const unknownTo = answers.flatMap(([service, told]) => (isUnknownThere(told) ? [service] : []))
  const silent = answers.flatMap(([, told]) => (told.ok || isUnknownThere(told) ? [] : [wordsOf(told)]))
  if (unknownTo.length === answers.length) throw new Failure<Reason>('not_found')
  return { taskId, gateway: known(gateway), ledger: known(ledger), probe: known(probe), dispatcher: known(dispatcher), silent, unknownTo }
}

/** 400: an id that no row could hold. */
const isUnknownThere = (told: Told<unknown>): boolean => !told.ok && (told.status === 404 || told.status === 400)

const known = <T>(told: Told<T>): T | undefined => (told.ok ? told.value : undefined)
