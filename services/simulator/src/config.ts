import { serviceVariables } from '@filmgate/kit/environment/service-environment'
import { ConfigError, flag, integer, number, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'

export type Config = ReturnType<typeof readConfig>

/** Parses the environment once. A paying client must never get a simulated video, so outside development it has to be allowed by name. */
export function readConfig(env: Record<string, string | undefined>) {
  const config = readVariables(env, {
    ...serviceVariables,
    port: ['PORT', integer({ min: 0, max: 65535, fallback: 4105 })],
    allowed: ['FILMGATE_ALLOW_SIMULATOR', flag(false)],
    key: ['SIMULATOR_KEY', secret()],
    dataDir: ['SIMULATOR_DATA_DIR', text()],
    /** Base of output URLs; without it the address the caller used. */
    publicUrl: ['SIMULATOR_PUBLIC_URL', optional(url({ protocols: ['http', 'https'] }))],
    rendersMax: ['SIMULATOR_RENDERS_MAX', integer({ min: 1, max: 64, fallback: 2 })],
    retentionHours: ['SIMULATOR_RETENTION_HOURS', number({ min: 0.01, max: 8760, fallback: 24 })],
    ffmpeg: ['SIMULATOR_FFMPEG', text({ fallback: 'ffmpeg' })],
    ffprobe: ['SIMULATOR_FFPROBE', text({ fallback: 'ffprobe' })],
  })
  if (!config.development && !config.allowed)
    throw new ConfigError(['FILMGATE_ALLOW_SIMULATOR must be 1 to run the simulator outside development (FILMGATE_DEVELOPMENT=1)'])
  return config
}
