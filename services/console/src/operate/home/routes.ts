import { listOf } from '@filmgate/proto/operator/answer'
import { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import { LetterCount } from '@filmgate/proto/operator/bus'
import { Outcomes } from '@filmgate/proto/operator/provider'
import { OpenReviews } from '@filmgate/proto/operator/review'
import { Elysia } from 'elysia'
import { oldestUnappliedChangeSeconds } from '../../billing/changes/change-repository'
import { countInReview } from '../../billing/purchases/count-in-review'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { readPeriod } from '../layout/period'
import { outcomePeriods } from '../outcomes/outcome-table'
import { serviceNames } from '../services/services'
import { homePage } from './page'

export const home = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get('/operate', async function getHome({ operator, request: { url }, set }) {
    const { services, sql } = deps
    const period = readPeriod(url, outcomePeriods)
    const { from, to } = period
    const [outcomes, reviews, letters, runs, contradictions, inReview, waitedSeconds, readiness] = await Promise.all([
      services.ask(operator.person, 'dispatcher', { answer: Outcomes, path: `/outcomes?${new URLSearchParams({ from, to })}` }),
      services.ask(operator.person, 'dispatcher', { answer: OpenReviews, path: '/reviews' }),
      services.ask(operator.person, 'gateway', { answer: listOf(LetterCount), path: '/dead-letters/counts' }),
      services.ask(operator.person, 'ledger', { answer: listOf(AuditRun), path: '/audits?limit=1' }),
      services.ask(operator.person, 'ledger', { answer: listOf(Contradiction), path: '/contradictions' }),
      countInReview(sql),
      oldestUnappliedChangeSeconds(sql),
      Promise.all(serviceNames.map(service => services.readiness(service))),
    ])
    const payments = { inReview, waitedMs: waitedSeconds * 1_000 }
    return answerPage(set, homePage({ operator, period, outcomes, reviews, letters, runs, contradictions, payments, readiness }))
  })
