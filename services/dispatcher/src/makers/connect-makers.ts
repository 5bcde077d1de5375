import { checkUrl } from '@filmgate/kit/safe-fetch/check-url'
import type { Config } from '../config'
import type { Connector } from './connector'
import { connectFal } from './fal/connect-fal'
import { readKeys } from './read-keys'
import { connectRunware } from './runware/connect-runware'
import { connectSimulator } from './simulator/connect-simulator'

/** The makers that there is a key for now, and an address where they have none of their own. */
export function connectMakers(settings: Config): Connector[] {
  const config = { ...settings, ...readKeys(settings) }
  return [...fal(config), ...runware(config), ...simulator(config)]
}

function fal({ falKey: key, falUrl: url, submitTimeoutMs, readTimeoutMs, ...config }: Config): Connector[] {
  const { inputsPublic = isPublic(config.s3Endpoint), uploadTimeoutMs: timeoutMs, inputUrlSeconds: keptSeconds } = config
  const upload = inputsPublic ? undefined : { timeoutMs, keptSeconds }
  return key ? [connectFal({ url, key, submitTimeoutMs, readTimeoutMs, upload })] : []
}

/** Judged by its text, as a client's URL is. */
function isPublic(endpoint: string): boolean {
  try {
    checkUrl(endpoint, { forbiddenRanges: [], trustedOrigins: [] })
    return true
  } catch {
    return false
  }
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
