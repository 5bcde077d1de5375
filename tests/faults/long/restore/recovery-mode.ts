import { type OwnService, startOwn } from '../../../support/servers/own-services'
import { move } from '../../../support/stack'
import { until } from '../../../support/until'

/** Those that `global.recovery` of the charts restarts. The gateway enters first and leaves last: docs/restore.md, After a restore. */
const services = ['gateway', 'ledger', 'media-probe', 'dispatcher'] as const
const servesMsMax = 120_000

export type RecoveryMode = {
  /** Resolves once all of them serve again, with a database that was restored. */
  serving(): Promise<void>
  leave(): Promise<void>
}

/** As `helm upgrade … --set global.recovery=true` does: before the restored database is there, so that they wait for it. */
export async function enterRecoveryMode(): Promise<RecoveryMode> {
  const running = new Map<(typeof services)[number], OwnService>()
  for (const service of services) {
    await move(service, 'stop')
    running.set(service, await startOwn(service, { FILMGATE_RECOVERY: 'true' }, '/healthz'))
  }
  const isReady = ({ url }: OwnService) =>
    fetch(`${url}/readyz`, { keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    async serving() {
      for (const service of running.values()) await until(`${service.url} to serve`, () => isReady(service), servesMsMax)
    },
    async leave() {
      for (const service of services.toReversed()) {
        await running.get(service)?.stop()
        await move(service, 'start')
      }
    },
  }
}
