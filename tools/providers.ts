/**
 * The providers outside: what a user calls each, the variable of its key, and what of the dispatcher's puts the simulator's face in its place.
 * As `services/dispatcher/src/providers/outside-providers.ts` has them.
 */
export const providers = {
  fal: { name: 'fal', key: 'FAL_KEY', url: 'FILMGATE_FAL_URL', face: '/fal' },
  runware: { name: 'Runware', key: 'RUNWARE_API_KEY', url: 'FILMGATE_RUNWARE_URL', face: '/runware/v1' },
  ark: { name: 'Ark', key: 'ARK_API_KEY', url: 'FILMGATE_ARK_URL', face: '/ark/api/v3' },
  minimax: { name: 'MiniMax', key: 'MINIMAX_API_KEY', url: 'FILMGATE_MINIMAX_URL', face: '/minimax' },
  kling: { name: 'Kling', key: 'KLING_API_KEY', url: 'FILMGATE_KLING_URL', face: '/kling' },
  google: { name: 'Google', key: 'GEMINI_API_KEY', url: 'FILMGATE_GOOGLE_URL', face: '/google/v1beta' },
  dashscope: { name: 'DashScope', key: 'DASHSCOPE_API_KEY', url: 'FILMGATE_DASHSCOPE_URL', face: '/dashscope/api/v1' },
  vidu: { name: 'Vidu', key: 'VIDU_API_KEY', url: 'FILMGATE_VIDU_URL', face: '/vidu' },
  pixverse: { name: 'PixVerse', key: 'PIXVERSE_API_KEY', url: 'FILMGATE_PIXVERSE_URL', face: '/pixverse/openapi/v2' },
  xai: { name: 'xAI', key: 'XAI_API_KEY', url: 'FILMGATE_XAI_URL', face: '/xai/v1' },
  replicate: { name: 'Replicate', key: 'REPLICATE_API_TOKEN', url: 'FILMGATE_REPLICATE_URL', face: '/replicate/v1' },
  'openai-videos': {
    ...{ name: 'OpenAI-compatible gateway', key: 'OPENAI_VIDEOS_API_KEY' },
    ...{ url: 'FILMGATE_OPENAI_VIDEOS_URL', face: '/openai-videos/v1' },
  },
} as const
