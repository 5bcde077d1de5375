import type { Mode, Model, Models } from '../models/model'
import { commonMode, commonModes } from './common-mode'

/** How many videos are looked at side by side. */
export const comparedMax = 4

/** `mode` is what all the models take; undefined if they are too few, or have no mode in common. */
export type ModelsSelection = {
  models: Model[]
  /** The ids of models beyond the most. */
  leftOut: string[]
  modeNames: string[]
  modeName: string
  mode: Mode | undefined
}

/** The named models, and the wanted mode if all have it. Unknown models are left out. */
export function selectModels({ data }: Models, ids: string[], wantedMode: string): ModelsSelection {
  const known = [...new Set(ids)].flatMap(id => data.find(model => model.id === id) ?? [])
  const [models, leftOut] = [known.slice(0, comparedMax), known.slice(comparedMax).map(({ id }) => id)]
  const modeNames = models.length < 2 ? [] : commonModes(models)
  const modeName = modeNames.includes(wantedMode) ? wantedMode : (modeNames[0] ?? '')
  return { models, leftOut, modeNames, modeName, mode: commonMode(models, modeName) }
}
