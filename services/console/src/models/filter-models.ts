import { makesLength, makesSound, takesReferences } from './describe-model'
import type { Model } from './model'

/** '' and false filter nothing. */
export type ModelFilter = { mode: string; seconds: string; sound: boolean; references: boolean }

/** Anything that can't be read filters nothing. */
export function readModelFilter(query: URLSearchParams, modeNames: string[]): ModelFilter {
  const [mode, seconds] = [query.get('mode') ?? '', (query.get('seconds') ?? '').trim()]
  return {
    mode: modeNames.includes(mode) ? mode : '',
    seconds: /^[1-9]\d{0,3}$/.test(seconds) ? seconds : '',
    sound: query.get('sound') === 'true',
    references: query.get('references') === 'true',
  }
}

export const filterModels = (models: Model[], { mode, seconds, sound, references }: ModelFilter): Model[] =>
  models.filter(model => {
    const modes = mode === '' ? Object.values(model.modes) : [model.modes[mode]].filter(each => each !== undefined)
    if (modes.length === 0 || (sound && !makesSound(modes)) || (references && !takesReferences(modes))) return false
    return seconds === '' || makesLength(modes, Number(seconds))
  })
