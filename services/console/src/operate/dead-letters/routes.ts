import { needsRole } from '@filmgate/kit/operator/needs-role'
import { listOf } from '@filmgate/proto/operator/answer'
import { DeadLetter, LetterCount } from '@filmgate/proto/operator/bus'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { deadLettersPage } from './page'
import { discardLetter, replayLetters } from './remove-letters'
import { topicPage } from './topic-page'

export const topicPath = (topic: string): string => `/operate/dead-letters/${encodeURIComponent(topic)}`

/** Reading a topic takes as long as a consumer needs to join. */
const listTimeoutMs = 40_000

export const deadLetters = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/dead-letters', async function getTopics({ operator, set }) {
      const counts = await deps.services.ask(operator.person, 'gateway', { answer: listOf(LetterCount), path: '/dead-letters/counts' })
      return answerPage(set, deadLettersPage({ operator, counts }))
    })
    .get('/operate/dead-letters/:topic', async function getTopic({ operator, request, params: { topic }, set }) {
      const { searchParams } = new URL(request.url)
      const event = searchParams.get('event') ?? undefined
      const group = searchParams.get('group') || undefined
      const query = new URLSearchParams({ topic, limit: '100', ...(event !== undefined && { event }), ...(group && { group }) })
      const [letters, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', {
          answer: listOf(DeadLetter),
          path: `/dead-letters?${query}`,
          timeoutMs: listTimeoutMs,
        }),
        findShownAction(deps.sql, request, operator),
      ])
      return answerPage(set, topicPage({ operator, topic, event, letters, last, notice: actionNotice(last) }))
    })
    .post(
      '/operate/dead-letters/:topic/replay',
      async function postReplay({ operator, request, params: { topic }, set }) {
        const removal = { operator, topic, form: await readForm(request) }
        return seeOther(set, actionPath(topicPath(topic), await replayLetters(deps, removal)))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      '/operate/dead-letters/:topic/discard',
      async function postDiscard({ operator, request, params: { topic }, set }) {
        const removal = { operator, topic, form: await readForm(request) }
        return seeOther(set, actionPath(topicPath(topic), await discardLetter(deps, removal)))
      },
      { ...needsRole('support'), parse: 'none' },
    )
