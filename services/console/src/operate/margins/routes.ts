import { Margins } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { marginsPage } from './page'

export const margins = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate/margins', async function getMargins({ operator, set }) {
    return answerPage(
      set,
      marginsPage(operator, await deps.services.ask(operator.person, 'dispatcher', { answer: Margins, path: '/margins' })),
    )
  })
