import { existsSync, readFileSync } from 'node:fs'
import { parseEnvFile } from '../ops/settings'
import { providers } from '../providers'
import type { Addresses } from '../stack/addresses'
import type { Instance } from '../stack/instance'

/** Addresses of the real servers for services' tests. */
export const serverEnv = ({ postgresUrl, kafkaBrokers, redisUrl, s3 }: Addresses): Record<string, string> => ({
  FILMGATE_TEST_POSTGRES_URL: postgresUrl,
  FILMGATE_TEST_KAFKA_BROKERS: kafkaBrokers,
  FILMGATE_TEST_REDIS_URL: redisUrl,
  FILMGATE_TEST_S3_ENDPOINT: s3.endpoint,
  FILMGATE_TEST_S3_ACCESS_KEY_ID: s3.accessKeyId,
  FILMGATE_TEST_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
})

/** The environment of tests over HTTP, as `bun start` writes it. FILMGATE_INSTANCE selects this stack for commands. */
export const wireEnv = (instance: Instance, addresses: Addresses): Record<string, string> => ({
  ...serverEnv(addresses),
  ...parseEnvFile(readFileSync(instance.envFile, 'utf8')),
  FILMGATE_SECOND_GATEWAY_URL: `http://127.0.0.1:${instance.ports.secondGateway}`,
})

/** Removes the user's provider keys: tests must not buy anything. */
export function dropProvidersKeys(): void {
  for (const { key } of Object.values(providers)) for (const name of [key, `${key}_FILE`]) delete process.env[name]
}

/** Settings for the stack of a test, from a file beside it. The user's variables win, except for provider keys. */
export function applyStackSettings(file: string): void {
  dropProvidersKeys()
  if (!existsSync(file)) return
  for (const [name, value] of Object.entries(parseEnvFile(readFileSync(file, 'utf8')))) process.env[name] ??= value
}
