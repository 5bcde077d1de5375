import { checkUrl } from '@filmgate/kit/safe-fetch/check-url'
import type { Config } from '../config'
import { connectArk } from './ark/connect-ark'
import type { Connector } from './connector'
import { connectDashScope } from './dashscope/connect-dashscope'
import { connectFal } from './fal/connect-fal'
import { connectGoogle } from './google/connect-google'
import { connectKling } from './kling/connect-kling'
import { connectMiniMax } from './minimax/connect-minimax'
import { connectOpenAiVideos } from './openai-videos/connect-openai-videos'
import { type OutsideProvider, providerNames } from './outside-providers'
import { connectPixverse } from './pixverse/connect-pixverse'
import { readKeys } from './read-keys'
import { connectReplicate } from './replicate/connect-replicate'
import { connectRunware } from './runware/connect-runware'
import { connectSimulator } from './simulator/connect-simulator'
import { connectVidu } from './vidu/connect-vidu'
import { connectXai } from './xai/connect-xai'

/** The providers that there is a key for now, in the order of their table, and the simulator where it is set. */
export function connectProviders(config: Config): Connector[] {
  const keys = readKeys(config.outside)
  const outside = providerNames.flatMap(provider => {
    const key = keys[provider]
    const { url } = config.outside[provider]
    if (key === undefined || url === undefined) return []
    return [{ ...connect[provider](config, { key, url }), keyDigest: digestOf(key) }]
  })
  return [...outside, ...simulator(config)].map(connector => bounded(connector, config.reviewCountsMsMax))
}

/** With the shorter of the provider's own bound and the setting. */
function bounded(connector: Connector, reviewCountsMsMax: number): Connector {
  const { capabilities } = connector
  return { ...connector, capabilities: { ...capabilities, generationMsMax: Math.min(capabilities.generationMsMax, reviewCountsMsMax) } }
}

/** Names a key without telling it. */
const digestOf = (key: string): string => new Bun.CryptoHasher('sha256').update(key).digest('hex').slice(0, 16)

type Access = { key: string; url: string }

const connect: Record<OutsideProvider, (config: Config, access: Access) => Connector> = {
  fal({ inputsPublic, s3Endpoint, uploadTimeoutMs, inputUrlSeconds: keptSeconds, forbiddenRanges, ...config }, access) {
    const upload = (inputsPublic ?? isPublic(s3Endpoint)) ? undefined : { timeoutMs: uploadTimeoutMs, keptSeconds, forbiddenRanges }
    return connectFal({ ...access, ...timeouts(config), upload })
  },
  kling: (config, access) => connectKling({ ...access, ...timeouts(config) }),
  runware: (config, access) => connectRunware({ ...access, ...timeouts(config) }),
  ark: (config, access) => connectArk({ ...access, ...timeouts(config), marksAttempts: config.arkMarksAttempts }),
  minimax: (config, access) => connectMiniMax({ ...access, ...timeouts(config) }),
  google: (config, access) => connectGoogle({ ...access, ...timeouts(config), uploadTimeoutMs: config.uploadTimeoutMs }),
  dashscope: (config, access) => connectDashScope({ ...access, ...timeouts(config) }),
  vidu: (config, access) => connectVidu({ ...access, ...timeouts(config) }),
  pixverse: ({ uploadTimeoutMs, ...config }, access) => connectPixverse({ ...access, ...timeouts(config), uploadTimeoutMs }),
  xai: (config, access) => connectXai({ ...access, ...timeouts(config) }),
  replicate: (config, access) => connectReplicate({ ...access, ...timeouts(config) }),
  'openai-videos': (config, access) => connectOpenAiVideos({ ...access, ...timeouts(config) }),
}

type Timeouts = Pick<Config, 'submitTimeoutMs' | 'readTimeoutMs'>

const timeouts = ({ submitTimeoutMs, readTimeoutMs }: Timeouts): Timeouts => ({ submitTimeoutMs, readTimeoutMs })

/** Judged by its text, as a client's URL is. */
function isPublic(endpoint: string): boolean {
  try {
    checkUrl(endpoint, { forbiddenRanges: [], trustedOrigins: [] })
    return true
  } catch {
    return false
  }
}

function simulator(config: Config): Connector[] {
  const { simulatorUrl: url, simulatorKey: key, simulatorOutputUrl: outputUrl } = config
  if (!url || !key) return []
  const { simulatorVisibilityMs: visibilityMs, simulatorFirstPollMs: firstPollMs } = config
  const outputOrigin = outputUrl && new URL(outputUrl).origin
  return [connectSimulator({ provider: 'simulator', url, key, visibilityMs, firstPollMs, ...timeouts(config), outputOrigin })]
}
