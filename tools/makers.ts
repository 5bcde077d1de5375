/**
 * The makers outside: what a user calls each, the variable of its key, and what of the dispatcher's puts the simulator's face in its place.
 * As `services/dispatcher/src/makers/outside-makers.ts` has them.
 */
export const makers = {
  fal: { name: 'fal', key: 'FAL_KEY', url: 'FILMGATE_FAL_URL', face: '/fal' },
  runware: { name: 'Runware', key: 'RUNWARE_API_KEY', url: 'FILMGATE_RUNWARE_URL', face: '/runware/v1' },
  xai: { name: 'xAI', key: 'XAI_API_KEY', url: 'FILMGATE_XAI_URL', face: '/xai/v1' },
} as const
