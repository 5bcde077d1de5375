import type { Mode, Model, Models } from '../models/model'
import { commonMode, commonModes } from './common-mode'

/** How many videos are looked at side by side. */
export const comparedMax = 4

/** `mode` is what all the models take; undefined if they are too few, or have no mode in common. */
export type ModelsSelection = { models: Model[]; modeNames: string[]; modeName: string; mode: Mode | undefined }

/** The named models, and the wanted mode if all have it. Unknown and further models are left out. */
export function selectModels({ data }: Models, ids: string[], wantedMode: string): ModelsSelection {
  const models = [...new Set(ids)].flatMap(id => data.find(model => model.id === id) ?? []).slice(0, comparedMax)
  const modeNames = models.length < 2 ? [] : commonModes(models)
  const modeName = modeNames.includes(wantedMode) ? wantedMode : (modeNames[0] ?? '')
  return { models, modeNames, modeName, mode: commonMode(models, modeName) }
}
