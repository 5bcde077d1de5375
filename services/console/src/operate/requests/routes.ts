import { Elysia } from 'elysia'
import { answerPage } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { requestsPath } from '../layout/menu'
import { requestsPage } from './page'
import { readFilter, readRequests } from './read-requests'

/** What clients asked, by account or request ID. */
export const requests = (deps: OperateDeps) =>
  new Elysia({ normalize: false }).use(requireOperator(deps)).get(requestsPath, async function getRequests({ operator, request, set }) {
    const filter = readFilter(request.url)
    const response = await readRequests(deps, operator, filter)
    return answerPage(set, requestsPage({ operator, url: request.url, filter, response }))
  })
