import { OutcomeAttempts } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { readPeriod } from '../layout/period'
import { attemptsPage } from './attempts-page'
import { outcomePeriods } from './outcome-table'

const filterNames = ['provider', 'model', 'state', 'code'] as const

export const outcomes = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/attempts', async function getAttempts({ operator, request: { url }, set }) {
      const { searchParams } = new URL(url)
      const { from, to } = readPeriod(url, outcomePeriods)
      const filter = Object.fromEntries(filterNames.map(name => [name, searchParams.get(name) ?? '']).filter(([, value]) => value !== ''))
      const cursor = searchParams.get('cursor')
      const query = new URLSearchParams({ from, to, ...filter, ...(cursor && { cursor }) })
      const path = `/outcomes/attempts?${query}`
      const attempts = await deps.services.ask(operator.person, 'dispatcher', { answer: OutcomeAttempts, path })
      return answerPage(set, attemptsPage({ operator, url, period: { from, to }, filter, attempts }))
    })
