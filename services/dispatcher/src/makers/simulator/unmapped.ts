import type { ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'

const modes = new Set(['text-to-video', 'image-to-video', 'media-to-video'])
const resolutions = new Set(['360p', '480p', '512p', '540p', '720p', '768p', 'hd', '1080p', 'fhd', '2k', '4k'])
const ratio = /^([1-9]\d?:[1-9]\d?|adaptive)$/
const secondsMax = 60

/** What a card offers and the simulator has no word for. */
export const unmapped = (card: ModelCard): string[] =>
  card.modes.flatMap(mode => {
    const choices = (name: string) => mode.fields.find(field => field.name === name)?.choices ?? []
    const duration = mode.fields.find(field => field.name === 'duration')
    const longest = Math.max(Number(duration?.max ?? 0), ...(duration?.integers ?? []).map(Number))
    return [
      ...(modes.has(mode.name) ? [] : [`mode ${mode.name}`]),
      ...choices('resolution')
        .filter(word => !resolutions.has(word))
        .map(word => `${mode.name} resolution ${word}`),
      ...choices('aspect_ratio')
        .filter(word => !ratio.test(word))
        .map(word => `${mode.name} aspect_ratio ${word}`),
      ...(longest > secondsMax ? [`${mode.name} duration ${longest}`] : []),
    ]
  })
