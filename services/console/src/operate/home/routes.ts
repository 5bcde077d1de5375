import type { LetterCount } from '@filmgate/kit/bus/dead-letters/count'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { serviceNames } from '../services/services'
import type { AuditRun, Contradiction, Listed, ReviewRow } from '../services/views'
import { homePage } from './page'

export const home = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate', async function getHome({ operator, set }) {
    const { services } = deps
    const [reviews, letters, runs, contradictions, readiness] = await Promise.all([
      services.ask<Listed<ReviewRow>>(operator.person, 'dispatcher', { path: '/reviews' }),
      services.ask<Listed<LetterCount>>(operator.person, 'gateway', { path: '/dead-letters/counts' }),
      services.ask<Listed<AuditRun>>(operator.person, 'ledger', { path: '/audits?limit=1' }),
      services.ask<Listed<Contradiction>>(operator.person, 'ledger', { path: '/contradictions' }),
      Promise.all(serviceNames.map(service => services.readiness(service))),
    ])
    return answerPage(set, homePage({ operator, reviews, letters, runs, contradictions, readiness }))
  })
