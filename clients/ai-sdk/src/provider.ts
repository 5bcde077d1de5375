import { type Experimental_VideoModelV4, NoSuchModelError, type ProviderV4 } from '@ai-sdk/provider'
import { loadApiKey, loadSetting, withoutTrailingSlash } from '@ai-sdk/provider-utils'
import type { Fetch } from './api/api-fetch.ts'
import { createFindCard } from './request/model-card.ts'
import { createVideoModel } from './video-model.ts'
import type { FilmgateModelId } from './video-options.ts'

export type FilmgateProviderSettings = {
  /** `sk_live_…`; FILMGATE_API_KEY where left out. */
  apiKey?: string
  /** Ends in /api/v1; FILMGATE_URL where left out. */
  baseUrl?: string
  /** Sent with each request to the API, and nowhere else. */
  headers?: Record<string, string | undefined>
  fetch?: Fetch
  /** How often a task is read while its webhook does not come, in milliseconds; at least 10 s, a minute where left out. */
  webhookFallbackMs?: number
}

export type FilmgateProvider = ProviderV4 & {
  (modelId: FilmgateModelId): Experimental_VideoModelV4
  video(modelId: FilmgateModelId): Experimental_VideoModelV4
  videoModel(modelId: FilmgateModelId): Experimental_VideoModelV4
}

const fallbackMs = 60_000
const fallbackMsMin = 10_000

/** Filmgate's video models for the AI SDK. Settings are read at the first call, so that a missing one fails there. */
export function createFilmgate(given: FilmgateProviderSettings = {}): FilmgateProvider {
  const settings = {
    apiKey: () => loadApiKey({ apiKey: given.apiKey, environmentVariableName: 'FILMGATE_API_KEY', description: 'Filmgate' }),
    baseUrl: () => withoutTrailingSlash(urlOf(given)) ?? '',
    headers: given.headers ?? {},
    fetch: given.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init)),
    findCard: createFindCard(),
    webhookFallbackMs: Math.max(given.webhookFallbackMs ?? fallbackMs, fallbackMsMin),
  }
  const video = (modelId: FilmgateModelId) => createVideoModel(settings, modelId)
  return Object.assign((modelId: FilmgateModelId) => video(modelId), {
    specificationVersion: 'v4' as const,
    video,
    videoModel: video,
    languageModel: none('languageModel'),
    embeddingModel: none('embeddingModel'),
    imageModel: none('imageModel'),
  })
}

const urlOf = ({ baseUrl }: FilmgateProviderSettings): string =>
  loadSetting({ settingValue: baseUrl, environmentVariableName: 'FILMGATE_URL', settingName: 'baseUrl', description: 'Filmgate’s address' })

const none = (modelType: 'languageModel' | 'embeddingModel' | 'imageModel') => (modelId: string) => {
  throw new NoSuchModelError({ modelId, modelType, message: `Filmgate makes videos alone: ask for video('${modelId}').` })
}

/** Filmgate's video models, with FILMGATE_API_KEY and FILMGATE_URL of the environment. */
export const filmgate: FilmgateProvider = createFilmgate()
