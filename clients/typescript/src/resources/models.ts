import { FilmgateError } from '../error.ts'
import type { Model, ModelId, ModelList } from '../generated.ts'
import type { Connection } from '../http/connection.ts'
import { type CallOptions, limitOf } from '../http/limit.ts'
import { send } from '../http/send.ts'
import { callMs } from './paged.ts'

export const models = (connection: Connection) => {
  const list = async (options: CallOptions = {}): Promise<ModelList> =>
    (await send<ModelList>(connection, { path: '/models' }, limitOf(options, callMs))).body
  return {
    /** Every model with its modes, fields, limits and prices: in `data`. */
    list,

    /** One model. Throws `unknown_model` where there is none of this name. */
    async get(id: ModelId, options: CallOptions = {}): Promise<Model> {
      const { data } = await list(options)
      const model = data.find(model => model.id === id)
      if (model) return model
      const message = `No model ${JSON.stringify(id)}. There are ${data.map(({ id }) => id).join(', ')}.`
      throw new FilmgateError({ code: 'unknown_model', message, details: { issues: [{ path: 'model', rule: 'enum', message }] } })
    },
  }
}
