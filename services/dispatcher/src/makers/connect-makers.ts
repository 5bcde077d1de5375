import type { Config } from '../config'
import type { Connector } from './connector'
import { connectSimulator } from './simulator/connect-simulator'

/** The makers this environment has an address and a key for. */
export function connectMakers(config: Config): Connector[] {
  const { simulatorUrl: url, simulatorKey: key, simulatorVisibilityMs: visibilityMs, simulatorOutputUrl: outputUrl } = config
  if (!url || !key) return []
  const outputOrigin = outputUrl && new URL(outputUrl).origin
  return [connectSimulator({ maker: 'simulator', url, key, visibilityMs, outputOrigin, ...config })]
}
