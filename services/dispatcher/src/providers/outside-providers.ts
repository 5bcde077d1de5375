import { type Group, optional, readVariables, secret, text, url } from '@filmgate/kit/environment/variables'

/** Providers outside: the variables of each one's key and address, and the address it has of its own, if it has one. */
export const outsideProviders = {
  fal: { key: 'FAL_KEY', url: 'FILMGATE_FAL_URL', address: 'https://queue.fal.run' },
  runware: { key: 'RUNWARE_API_KEY', url: 'FILMGATE_RUNWARE_URL', address: 'https://api.runware.ai/v1' },
  ark: { key: 'ARK_API_KEY', url: 'FILMGATE_ARK_URL', address: 'https://ark.cn-beijing.volces.com/api/v3' },
  minimax: { key: 'MINIMAX_API_KEY', url: 'FILMGATE_MINIMAX_URL', address: 'https://api.minimax.io' },
  kling: { key: 'KLING_API_KEY', url: 'FILMGATE_KLING_URL', address: 'https://api-singapore.klingai.com' },
  google: { key: 'GEMINI_API_KEY', url: 'FILMGATE_GOOGLE_URL', address: 'https://generativelanguage.googleapis.com/v1beta' },
  dashscope: { key: 'DASHSCOPE_API_KEY', url: 'FILMGATE_DASHSCOPE_URL', address: 'https://dashscope.aliyuncs.com/api/v1' },
  vidu: { key: 'VIDU_API_KEY', url: 'FILMGATE_VIDU_URL', address: 'https://api.vidu.com' },
  pixverse: { key: 'PIXVERSE_API_KEY', url: 'FILMGATE_PIXVERSE_URL', address: 'https://app-api.pixverse.ai/openapi/v2' },
  xai: { key: 'XAI_API_KEY', url: 'FILMGATE_XAI_URL', address: 'https://api.x.ai/v1' },
  replicate: { key: 'REPLICATE_API_TOKEN', url: 'FILMGATE_REPLICATE_URL', address: 'https://api.replicate.com/v1' },
  'openai-videos': { key: 'OPENAI_VIDEOS_API_KEY', url: 'FILMGATE_OPENAI_VIDEOS_URL', address: undefined },
} as const

export type OutsideProvider = keyof typeof outsideProviders

/** A provider is on where its key is there, in the environment or in a file. */
export type ProviderSettings = { url: string | undefined; key: string | undefined; keyFile: string | undefined }
export type OutsideSettings = Record<OutsideProvider, ProviderSettings>

export const providerNames = Object.keys(outsideProviders) as OutsideProvider[]

export const outsideSettings: Group<OutsideSettings> = {
  readGroup(env) {
    const shape = Object.fromEntries(providerNames.map(provider => [provider, { readGroup: () => readProvider(env, provider) }]))
    return readVariables(env, shape) as OutsideSettings
  },
}

const readProvider = (env: Record<string, string | undefined>, provider: OutsideProvider): ProviderSettings => {
  const { key, url: variable, address } = outsideProviders[provider]
  const protocols = ['http', 'https']
  return readVariables(env, {
    url: [variable, address === undefined ? optional(url({ protocols })) : url({ protocols, fallback: address })],
    key: [key, optional(secret())],
    keyFile: [`${key}_FILE`, optional(text())],
  })
}

/** A key is what a header holds; what is shorter is none. */
export const keyForm = /^[!-~]{16,1000}$/

/** What is wrong with how providers are set. `clear`: addresses of http are a developer's own. */
export function outsideFaults(outside: OutsideSettings, clear: boolean): string[] {
  return providerNames.flatMap(provider => {
    const { key: name, url: variable } = outsideProviders[provider]
    const { url: address, key, keyFile } = outside[provider]
    const isClear = address?.startsWith('http:') && !clear
    return [
      ...((key ?? keyFile) && !address ? [`${variable} is not set, and ${name} has no other address to go to`] : []),
      ...(isClear
        ? [`${variable} must start with https:// outside development (FILMGATE_DEVELOPMENT=1): the key would be sent in clear`]
        : []),
      ...(key && !keyForm.test(key) ? [`${name} is no key: one line of 16 characters or more, without spaces`] : []),
      ...(key && keyFile ? [`${name} and ${name}_FILE are both set: one of them`] : []),
    ]
  })
}
