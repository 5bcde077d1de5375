import { withUserAgentSuffix } from '@ai-sdk/provider-utils'
import { Filmgate } from '@filmgate/client'
import type { FindCard } from '../request/model-card.ts'
import { apiFetch, type Fetch } from './api-fetch.ts'
import { callError } from './call-error.ts'

export type Settings = {
  apiKey(): string
  /** Without a slash at its end. */
  baseUrl(): string
  headers: Record<string, string | undefined>
  fetch: Fetch
  findCard: FindCard
  /** How often a task is read whose webhook does not come, in milliseconds. */
  webhookFallbackMs: number
}

export type Api = ReturnType<typeof openApi>

/** The API for one call of the AI SDK, with that call's headers. */
export function openApi(settings: Settings, headers: Record<string, string | undefined> | undefined) {
  const [apiKey, baseUrl] = [settings.apiKey(), settings.baseUrl()]
  const openAiUrl = `${baseUrl.replace(/\/api\/v1$/, '')}/openai/v1`
  const all = withUserAgentSuffix({ ...settings.headers, ...headers }, 'filmgate-ai-sdk/0.1.0')
  const { fetch, last } = apiFetch({ fetch: settings.fetch, addresses: [baseUrl, openAiUrl], headers: all })
  return {
    apiKey,
    baseUrl,
    openAiUrl,
    fetch,
    webhookFallbackMs: settings.webhookFallbackMs,
    client: new Filmgate({ apiKey, baseUrl, fetch }),
    response: (modelId: string) => ({ timestamp: new Date(), modelId, headers: last()?.headers }),
    callError: (error: unknown, about: { request: unknown; signal: AbortSignal | undefined }) =>
      callError(error, { url: baseUrl, last: last(), ...about }),
  }
}
