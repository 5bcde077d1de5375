import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { NewAccount } from '@filmgate/proto/operator/account'
import { accountCreate } from '../../ops/account/account'
import { operatorApi } from '../../ops/operator-api'
import { parseEnvFile } from '../../ops/settings'
import { type Addresses, buckets } from '../addresses'
import type { Instance } from '../instance'
import { waitUntil } from '../process/probe'
import { consoleUrl } from '../services'

const paidCredits = 10_000
const fundedTimeoutMs = 30_000

/**
 * Creates an account with credits and a key, and writes them for ops, tests and the user. Reuses an earlier working
 * one.
 */
export async function firstAccount(instance: Instance, addresses: Addresses): Promise<NewAccount> {
  const known = existsSync(instance.envFile) ? parseEnvFile(readFileSync(instance.envFile, 'utf8')) : {}
  const { FILMGATE_API_KEY: api_key, FILMGATE_ACCOUNT_ID: account_id } = known
  const account = api_key && account_id && (await hasCredits(instance, api_key)) ? { account_id, api_key } : await openAccount(instance)
  writeFileSync(instance.envFile, envText(instance, addresses, account), { mode: 0o600 })
  return account
}

async function openAccount(instance: Instance): Promise<NewAccount> {
  const { gateway, ledger, dispatcher } = serviceUrls(instance)
  const call = operatorApi({ urls: { gateway, ledger, dispatcher }, operatorToken: instance.operatorToken }, 'bun start')
  const account = await accountCreate(call, { name: 'Quick start', credits: paidCredits })
  // The grant passes through the ledger; wait for it, so that the first request finds a balance.
  await waitUntil(() => hasCredits(instance, account.api_key), fundedTimeoutMs)
  return account
}

async function hasCredits(instance: Instance, apiKey: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${apiUrl(instance)}/credits`, { headers, signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  if (!response?.ok) return false
  return ((await response.json()) as { available_credits: number }).available_credits > 0
}

export const apiUrl = ({ ports }: Instance): string => `http://127.0.0.1:${ports.gateway}/api/v1`

const serviceUrls = ({ ports }: Instance) => {
  const at = (port: number) => `http://127.0.0.1:${port}`
  const { gateway, ledger, mediaProbe, dispatcher, simulator, webhooks } = ports
  return {
    ...{ gateway: at(gateway), ledger: at(ledger), mediaProbe: at(mediaProbe), dispatcher: at(dispatcher) },
    ...{ simulator: at(simulator), webhooks: at(webhooks) },
  }
}

function envText(instance: Instance, { kafkaBrokers, redisUrl, s3, postgresUrl }: Addresses, account: NewAccount): string {
  const urls = serviceUrls(instance)
  const values = {
    FILMGATE_INSTANCE: instance.name,
    FILMGATE_PORT_BASE: instance.portBase,
    FILMGATE_URL: apiUrl(instance),
    FILMGATE_API_KEY: account.api_key,
    FILMGATE_ACCOUNT_ID: account.account_id,
    FILMGATE_OPERATOR_TOKEN: instance.operatorToken,
    FILMGATE_OPERATORS_FILE: instance.operatorsFile,
    FILMGATE_CONSOLE_OPERATORS_FILE: instance.consoleOperatorsFile,
    FILMGATE_CONSOLE_URL: consoleUrl(instance),
    FILMGATE_GATEWAY_URL: urls.gateway,
    FILMGATE_LEDGER_URL: urls.ledger,
    FILMGATE_MEDIA_PROBE_URL: urls.mediaProbe,
    FILMGATE_DISPATCHER_URL: urls.dispatcher,
    FILMGATE_WEBHOOKS_URL: urls.webhooks,
    FILMGATE_SIMULATOR_URL: urls.simulator,
    SIMULATOR_KEY: instance.simulatorKey,
    FILMGATE_POSTGRES_URL: postgresUrl,
    KAFKA_BROKERS: kafkaBrokers,
    REDIS_URL: redisUrl,
    S3_ENDPOINT: s3.endpoint,
    S3_OUTPUTS_BUCKET: buckets.outputs,
  }
  return `${Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`
}
