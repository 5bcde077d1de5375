import { Failure, invariant } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { cheapestModel } from '../models/cheapest-model'
import type { Mode, Model, Models } from '../models/model'

export type ModelSelection = { model: Model; modeName: string; mode: Mode }

/** The named model and mode, or the cheapest model and its default mode if they are missing or don't fit. */
export function selectModel({ data }: Models, modelId: string, wantedMode: string): ModelSelection {
  const model = data.find(each => each.id === modelId) ?? cheapestModel(data) ?? data[0]
  if (!model) throw new Failure<Reason>('service_unavailable', { internal: 'the gateway lists no model' })
  const names = Object.keys(model.modes)
  const modeName = [wantedMode, model.default_mode, names[0]].find(name => name !== null && name !== undefined && names.includes(name))
  const mode = modeName !== null && modeName !== undefined ? model.modes[modeName] : undefined
  invariant(modeName && mode, `${model.id} has no mode`)
  return { model, modeName, mode }
}
