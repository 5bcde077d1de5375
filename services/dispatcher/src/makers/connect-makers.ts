import type { Config } from '../config'
import type { Connector } from './connector'
import { connectFal } from './fal/connect-fal'
import { connectRunware } from './runware/connect-runware'
import { connectSimulator } from './simulator/connect-simulator'

/** The makers this environment has a key for, and an address where they have none of their own. */
export const connectMakers = (config: Config): Connector[] => [...fal(config), ...runware(config), ...simulator(config)]

function fal({ falKey: key, falUrl: url, submitTimeoutMs, readTimeoutMs }: Config): Connector[] {
  return key ? [connectFal({ url, key, submitTimeoutMs, readTimeoutMs })] : []
}

function runware({ runwareKey: key, runwareUrl: url, submitTimeoutMs, readTimeoutMs }: Config): Connector[] {
  return key ? [connectRunware({ url, key, submitTimeoutMs, readTimeoutMs })] : []
}

function simulator(config: Config): Connector[] {
  const { simulatorUrl: url, simulatorKey: key, simulatorOutputUrl: outputUrl } = config
  if (!url || !key) return []
  const { simulatorVisibilityMs: visibilityMs, simulatorFirstPollMs: firstPollMs, submitTimeoutMs, readTimeoutMs } = config
  const outputOrigin = outputUrl && new URL(outputUrl).origin
  return [connectSimulator({ maker: 'simulator', url, key, visibilityMs, firstPollMs, submitTimeoutMs, readTimeoutMs, outputOrigin })]
}
