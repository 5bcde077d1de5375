import { needsRole } from '@filmgate/kit/operator/needs-role'
import { Elysia } from 'elysia'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { searchPage } from './page'
import { searchCharactersMax, searchEverywhere } from './search'

export const search = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get(
    '/operate/search',
    async function getSearch({ operator, request, set }) {
      // Postgres texts can't contain a null character.
      const entered = (new URL(request.url).searchParams.get('text') ?? '').replaceAll('\0', '').trim().slice(0, searchCharactersMax)
      const found = entered === '' ? undefined : await searchEverywhere(deps, operator, entered)
      const [only, another] = found?.hits ?? []
      if (only && !another && found?.errors.length === 0) return seeOther(set, only.path)
      return answerPage(set, searchPage({ operator, text: entered, found }))
    },
    needsRole('support'),
  )
