import { Elysia } from 'elysia'
import { type MemberDeps, requireMember } from '../accounts/require-member'
import { answerPage } from '../layout/answer-page'
import { openingPrice } from './cheapest-model'
import { filterModels, readModelFilter } from './filter-models'
import type { FindModels } from './find-models'
import { modelsPage } from './page'

export type ModelsDeps = MemberDeps & { findModels: FindModels }

/** /accounts/:id/models: what each model takes, makes and costs; the cheapest first. */
export const models = (deps: ModelsDeps) =>
  new Elysia({ name: 'models', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/models', async function getModels({ request, set, ...context }) {
      const query = new URL(request.url).searchParams
      const { data } = await deps.findModels(context.person)
      const modeNames = [...new Set(data.flatMap(({ modes }) => Object.keys(modes)))]
      const filter = readModelFilter(query, modeNames)
      const models = filterModels(data, filter).toSorted(
        (a, b) => Number(b.available) - Number(a.available) || openingPrice(a) - openingPrice(b),
      )
      return answerPage(set, modelsPage({ ...context, models, modeNames, filter, chosen: new Set(query.getAll('model')) }))
    })
