import { Failure, invariant } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Mode, Model, Models } from '../models/model'

export type Chosen = { model: Model; modeName: string; mode: Mode }

/** The model and mode that are named; where none is, or the model has not that mode, what is shown to who comes without a wish. */
export function chosenOf({ data }: Models, modelId: string, wantedMode: string): Chosen {
  const model =
    data.find(each => each.id === modelId) ??
    data.find(each => each.default && each.available) ??
    data.find(each => each.available) ??
    data[0]
  if (!model) throw new Failure<Reason>('service_unavailable', { internal: 'the gateway shows no model' })
  const names = Object.keys(model.modes)
  const modeName = [wantedMode, model.default_mode, names[0]].find(name => name !== null && name !== undefined && names.includes(name))
  const mode = modeName !== null && modeName !== undefined ? model.modes[modeName] : undefined
  invariant(modeName && mode, `${model.id} has no mode`)
  return { model, modeName, mode }
}
