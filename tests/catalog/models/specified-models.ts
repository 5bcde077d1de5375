/**
 * The contract's tables once more, copied by hand and on their own: what the cards say is held against this, so a slip in a card is a
 * failed case. Durations are `min-max (default)` or `a,b (default)`; a choice's default stands in brackets.
 */
export type References = {
  images?: number
  videos?: [count: number, each: string, sum: number]
  audio?: [count: number, each: string, sum: number]
}
export type SpecifiedMode = {
  duration: string
  resolution: string
  ratio: string
  references?: References
  required: string[]
  optional: string[]
}
export type SpecifiedModel = {
  model: string
  promptMax: number
  defaultMode: string | undefined
  /** Fields that every mode takes, beside prompt, duration, resolution, aspect_ratio and max_credits. */
  common: string[]
  seed?: [min: number, max: number]
  modes: Record<string, SpecifiedMode>
}

const S10 = '16:9 9:16 4:3 3:4 3:2 2:3 2:1 21:9 1:1 adaptive'
const alphaReferences: References = { images: 9, videos: [3, '2-15', 15], audio: [3, '2-15', 15] }
const legacyReferences: References = { images: 9, videos: [3, '2-15', 15], audio: [3, '2-15', 15] }

const T = 'text-to-video'
const I = 'image-to-video'
const M = 'media-to-video'

function alpha(
  model: string,
  duration: string,
  resolution: string,
  modes: Record<string, Partial<SpecifiedMode> & { ratio: string }>,
): SpecifiedModel {
  const full = Object.entries(modes).map(([name, mode]) => [name, { duration, resolution, required: [], optional: [], ...mode }])
  return { model, promptMax: 7000, defaultMode: T, common: [], modes: Object.fromEntries(full) }
}

/** A row of the catalog table. `further` are its further fields; references go into media-to-video, or text-to-video where there is none. */
function row(
  model: string,
  modes: string,
  resolution: string,
  duration: string,
  ratio: string,
  further: string,
  references: References = {},
): SpecifiedModel {
  const has = (field: string) => further.split(' ').includes(field)
  const base = { duration, resolution, ratio, required: [], optional: [] }
  const letters = modes.split(' ')
  const made: Record<string, SpecifiedMode> = {}
  if (letters.includes('T')) made[T] = letters.includes('M') ? base : { ...base, references }
  if (letters.includes('I')) made[I] = { ...base, required: ['image_url'], optional: has('end_image_url') ? ['end_image_url'] : [] }
  if (letters.includes('M')) made[M] = { ...base, references }
  return {
    model,
    promptMax: 7000,
    defaultMode: letters.includes('T') ? T : undefined,
    common: ['watermark', ...['seed', 'generate_audio'].filter(has)],
    ...(has('seed') && { seed: [0, 2147483647] }),
    modes: made,
  }
}

const sixRatios = '21:9 16:9 4:3 1:1 3:4 9:16'
const all = 'seed generate_audio image_url end_image_url'

export const specifiedModels: SpecifiedModel[] = [
  alpha('alpha-h3', '4-15 (5)', '768p 2k (768p)', {
    [T]: { ratio: `${sixRatios} (16:9)` },
    [I]: { ratio: 'adaptive (adaptive)', required: ['image_url'], optional: ['end_image_url'] },
    [M]: { ratio: `${sixRatios} adaptive (adaptive)`, references: alphaReferences },
  }),
  alpha('alpha-h3-fast', '1-15 (5)', '480p 768p (768p)', {
    [T]: { ratio: '16:9 9:16 1:1 (16:9)' },
    [I]: { ratio: '16:9 9:16 1:1 (16:9)', required: ['image_url', 'end_image_url'] },
    [M]: { ratio: '16:9 9:16 1:1 (16:9)', references: alphaReferences },
  }),
  alpha('alpha-h3-max', '5-15 (5)', '480p 768p (768p)', {
    [T]: { ratio: `${sixRatios} (16:9)` },
    [I]: { ratio: 'adaptive (adaptive)', required: ['image_url'], optional: ['end_image_url'] },
  }),
  row('beta-2.5', 'T I M', '480p 720p 1080p (720p)', '4-30 (5)', S10, all, {
    images: 30,
    videos: [10, '2-30', 30],
    audio: [10, '2-30', 30],
  }),
  row('beta-2.0', 'T I M', '480p 720p 1080p (720p)', '4-15 (5)', S10, all, legacyReferences),
  row('beta-2.0-fast', 'T I M', '480p 720p 1080p (720p)', '4-15 (5)', S10, all, legacyReferences),
  row('beta-2.0-mini', 'T I M', '480p 720p 1080p (720p)', '4-15 (5)', S10, all, legacyReferences),
  row('beta-1.5-pro', 'T I', '480p 720p 1080p (720p)', '4-12 (5)', S10, all, { images: 2 }),
  row('beta-1.0-pro', 'T I', '480p 720p 1080p (720p)', '4-12 (5)', S10, 'seed image_url end_image_url', { images: 2 }),
  row('beta-1.0-lite', 'T I', '480p 720p 1080p (720p)', '4-12 (5)', S10, 'seed image_url', { images: 1 }),
  row('gamma-3.1-fast', 'T I M', '720p 1080p 4k (720p)', '8 (8)', S10, 'seed image_url end_image_url', { images: 3 }),
  row('delta-3.0', 'T I', '720p 1080p 4k (720p)', '3-15 (5)', S10, all, { images: 2 }),
  row('delta-3.0-turbo', 'T I', '720p 1080p (720p)', '3-15 (5)', S10, 'seed image_url', { images: 1 }),
  row('delta-v3-omni', 'T I M', '720p 1080p 4k (720p)', '3-15 (5)', S10, all, { images: 2, videos: [1, '3-10', 10] }),
  row('delta-video-o1', 'T I M', '720p 1080p (720p)', '5,10 (5)', S10, 'seed image_url end_image_url', {
    images: 2,
    videos: [1, '3-10', 10],
  }),
  row('epsilon-1.5', 'T I M', '480p 720p (720p)', '6-15 (6)', S10, 'seed image_url', { images: 7 }),
  row('zeta-3-video', 'T I M', 'hd fhd (hd)', '5-20 (5)', S10, all, { images: 10, videos: [1, '2-20', 20] }),
  row('eta-3.0', 'T I M', '480p 720p 1080p (720p)', '2-30 (5)', '16:9 9:16 4:3 3:4 1:1 adaptive', all, {
    images: 10,
    videos: [5, '1-15', 15],
    audio: [5, '1-15', 15],
  }),
  row('theta-omni-1.1-flash', 'T I M', '360p 720p 1080p 4k (720p)', '10 (10)', '16:9 9:16', 'image_url end_image_url', {
    images: 10,
    videos: [1, '1-10', 10],
  }),
  {
    ...row('iota-q3-turbo', 'T I', '540p 720p 1080p (720p)', '1-16 (5)', '16:9 9:16 4:3 3:4 1:1', all, { images: 2 }),
    promptMax: 2000,
    seed: [-1, 4294967295],
  },
  row('eta-2.7', 'T I M', '720p 1080p (720p)', '2-15 (5)', S10, 'seed image_url end_image_url', {
    images: 2,
    videos: [1, '2-10', 10],
    audio: [1, '2-30', 30],
  }),
  row('delta-motion-control', 'M', '720p 1080p (720p)', '3-30', S10, 'seed image_url', { images: 1, videos: [1, '3-30', 30] }),
  row('eta-2.6', 'T I M', '720p 1080p (720p)', '5,10,15 (5)', S10, 'seed generate_audio image_url', { images: 1, audio: [1, '2-15', 15] }),
  row('eta-2.5', 'T I M', '480p 720p 1080p (720p)', '5,10 (5)', S10, 'seed generate_audio image_url', {
    images: 1,
    audio: [1, '2-10', 10],
  }),
  row('delta-2.6', 'T I', '720p 1080p (720p)', '5,10 (5)', S10, all, { images: 2 }),
  row('kappa-2.3', 'T I', '768p 1080p (768p)', '6,10 (6)', S10, 'seed image_url', { images: 1 }),
  row('kappa-2.3-fast', 'I', '768p 1080p (768p)', '6,10 (6)', S10, 'seed image_url', { images: 1 }),
  row('kappa-02', 'T I', '512p 768p 1080p (512p)', '5,10 (5)', S10, 'seed image_url end_image_url', { images: 2 }),
  row('lambda-v6', 'T I M', '360p 540p 720p 1080p (720p)', '1-15 (5)', S10, all, { images: 7 }),
]

const referenceKinds = { images: 'image', videos: 'video', audio: 'audio' } as const

/** Every field that a mode takes, beside the names of model and mode. */
export const fieldsOf = ({ common }: SpecifiedModel, { required, optional, references = {} }: SpecifiedMode): string[] => [
  ...['prompt', 'duration', 'resolution', 'aspect_ratio', 'max_credits', ...common, ...required, ...optional],
  ...Object.entries(referenceKinds).flatMap(([name, kind]) =>
    references[name as keyof References] === undefined
      ? []
      : [`reference_${kind}_urls`, ...(kind === 'image' ? [] : [`reference_${kind}_durations`])],
  ),
]
