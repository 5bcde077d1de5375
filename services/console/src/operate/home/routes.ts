import { listOf } from '@filmgate/proto/operator/answer'
import { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import { LetterCount } from '@filmgate/proto/operator/bus'
import { OpenReviews } from '@filmgate/proto/operator/review'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { serviceNames } from '../services/services'
import { homePage } from './page'

export const home = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate', async function getHome({ operator, set }) {
    const { services } = deps
    const [reviews, letters, runs, contradictions, readiness] = await Promise.all([
      services.ask(operator.person, 'dispatcher', { answer: OpenReviews, path: '/reviews' }),
      services.ask(operator.person, 'gateway', { answer: listOf(LetterCount), path: '/dead-letters/counts' }),
      services.ask(operator.person, 'ledger', { answer: listOf(AuditRun), path: '/audits?limit=1' }),
      services.ask(operator.person, 'ledger', { answer: listOf(Contradiction), path: '/contradictions' }),
      Promise.all(serviceNames.map(service => services.readiness(service))),
    ])
    return answerPage(set, homePage({ operator, reviews, letters, runs, contradictions, readiness }))
  })
