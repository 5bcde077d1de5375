import { type FilesFollower, type FollowFilesOptions, followFiles } from '@filmgate/kit/process/follow-files'
import type { Log } from '@filmgate/kit/telemetry/log'
import { declareValues, gauge } from '@filmgate/kit/telemetry/metrics'
import type { CardCheck } from './check-cards'
import type { LiveRouting } from './live-routing'
import type { Routing } from './routing'

export type FollowRoutesDeps = {
  /** The mounted routing files and the providers' keys, where they are files. */
  files: FollowFilesOptions['files']
  /** The routing that they make now. Throws on a slip in them. */
  read: () => Routing
  routing: LiveRouting
  cards: Pick<CardCheck, 'faultsWith' | 'lookAgain'>
  log: Pick<Log, 'info' | 'error'>
}

export type RoutesFollower = Pick<FilesFollower, 'look'>

/**
 * Puts changed routes and keys in force without a restart, whenever it looks. A change with a slip leaves those in force that are: one that no routing can be made of,
 * that leaves no provider on, or with which a value of a card would have no mapping at any provider. It is judged again at each look: the card may change behind it.
 */
export function followRoutes({ files, read, routing, cards, log }: FollowRoutesDeps): RoutesFollower {
  function putInForce(): void {
    const next = read()
    if (next.connectors.length === 0) throw new Error('no provider is on')
    const faults = cards.faultsWith(next)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    const providers = next.connectors.map(({ provider }) => provider)
    declareValues('provider', providers)
    routing.replace(next)
    cards.lookAgain()
    log.info({ providers }, 'changed routes and keys loaded')
  }

  const follower = followFiles({
    files,
    inForce: true,
    putInForce,
    refused: error => log.error({ err: error }, 'changed routes or keys are invalid; the previous ones stay in force'),
  })
  gauge('dispatcher_routes_faulty', '1 while the changed routes or keys have slips and those of before stay in force', () =>
    follower.faulty() ? 1 : 0,
  )
  return follower
}
