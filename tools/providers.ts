/**
 * The providers outside. `name`: for people. `key`, `url`: the dispatcher's variables of its key and its address. `fakePath`: where the
 * simulator serves its fake.
 * As `services/dispatcher/src/providers/outside-providers.ts` has them.
 */
export const providers = {
  fal: { name: 'fal', key: 'FAL_KEY', url: 'FILMGATE_FAL_URL', fakePath: '/fal' },
  runware: { name: 'Runware', key: 'RUNWARE_API_KEY', url: 'FILMGATE_RUNWARE_URL', fakePath: '/runware/v1' },
  ark: { name: 'Ark', key: 'ARK_API_KEY', url: 'FILMGATE_ARK_URL', fakePath: '/ark/api/v3' },
  minimax: { name: 'MiniMax', key: 'MINIMAX_API_KEY', url: 'FILMGATE_MINIMAX_URL', fakePath: '/minimax' },
  kling: { name: 'Kling', key: 'KLING_API_KEY', url: 'FILMGATE_KLING_URL', fakePath: '/kling' },
  google: { name: 'Google', key: 'GEMINI_API_KEY', url: 'FILMGATE_GOOGLE_URL', fakePath: '/google/v1beta' },
  dashscope: { name: 'DashScope', key: 'DASHSCOPE_API_KEY', url: 'FILMGATE_DASHSCOPE_URL', fakePath: '/dashscope/api/v1' },
  vidu: { name: 'Vidu', key: 'VIDU_API_KEY', url: 'FILMGATE_VIDU_URL', fakePath: '/vidu' },
  pixverse: { name: 'PixVerse', key: 'PIXVERSE_API_KEY', url: 'FILMGATE_PIXVERSE_URL', fakePath: '/pixverse/openapi/v2' },
  xai: { name: 'xAI', key: 'XAI_API_KEY', url: 'FILMGATE_XAI_URL', fakePath: '/xai/v1' },
  replicate: { name: 'Replicate', key: 'REPLICATE_API_TOKEN', url: 'FILMGATE_REPLICATE_URL', fakePath: '/replicate/v1' },
  'openai-videos': {
    ...{ name: 'OpenAI-compatible gateway', key: 'OPENAI_VIDEOS_API_KEY' },
    ...{ url: 'FILMGATE_OPENAI_VIDEOS_URL', fakePath: '/openai-videos/v1' },
  },
} as const
