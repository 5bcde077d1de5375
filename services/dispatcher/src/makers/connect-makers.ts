import type { Config } from '../config'
import type { Connector } from './connector'
import { connectSimulator } from './simulator/connect-simulator'

/** The makers this environment has an address and a key for. */
export function connectMakers(config: Config): Connector[] {
  const { simulatorUrl: url, simulatorKey: key, simulatorOutputUrl: outputUrl } = config
  if (!url || !key) return []
  const { simulatorVisibilityMs: visibilityMs, simulatorFirstPollMs: firstPollMs, submitTimeoutMs, readTimeoutMs } = config
  const outputOrigin = outputUrl && new URL(outputUrl).origin
  return [connectSimulator({ maker: 'simulator', url, key, visibilityMs, firstPollMs, submitTimeoutMs, readTimeoutMs, outputOrigin })]
}
