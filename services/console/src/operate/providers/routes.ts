import { needsRole } from '@filmgate/kit/operator/needs-role'
import { listOf } from '@filmgate/proto/operator/answer'
import { Provider } from '@filmgate/proto/operator/provider'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { pauseProvider, resumeProvider } from './change-hold'
import { closeProvider } from './close-provider'
import { providersPage } from './page'

const providersPath = '/operate/providers'

/** The dispatcher asks each provider. */
const providersTimeoutMs = 30_000

export const providers = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(providersPath, async function getProviders({ operator, request, set }) {
      const [providers, last] = await Promise.all([
        deps.services.ask(operator.person, 'dispatcher', { answer: listOf(Provider), path: '/providers', timeoutMs: providersTimeoutMs }),
        findShownAction(deps.sql, request, operator),
      ])
      return answerPage(set, providersPage({ operator, providers, last, notice: actionNotice(last) }))
    })
    .post(
      `${providersPath}/:provider/close`,
      async function postClose({ operator, request, params: { provider }, set }) {
        return seeOther(set, actionPath(providersPath, await closeProvider(deps, operator, await readForm(request), provider)))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      `${providersPath}/:provider/pause`,
      async function postPause({ operator, request, params: { provider }, set }) {
        return seeOther(set, actionPath(providersPath, await pauseProvider(deps, operator, await readForm(request), provider)))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      `${providersPath}/:provider/resume`,
      async function postResume({ operator, request, params: { provider }, set }) {
        return seeOther(set, actionPath(providersPath, await resumeProvider(deps, operator, await readForm(request), provider)))
      },
      { ...needsRole('support'), parse: 'none' },
    )
