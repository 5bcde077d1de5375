import { ops } from '../../../support/operator/ops'
import { until } from '../../../support/until'
import { accepted, act, type Fault, order, stopped, submitted } from './fault'

/** A model that fal serves first, and others after it. */
const ofFal = { model: 'alpha-h3', duration: 5, resolution: '768p' }

export const providerFaults: Fault[] = [
  {
    name: 'a provider accepts orders slowly',
    alert: 'FilmgatePostsSlow',
    async inject() {
      const orders = await order(14, { behaviours: [{ name: 'accept_late', delay_ms: 2_000 }] })
      await accepted(orders)
      return { shows: /"simulator","count":"\d+","seconds":"[1-9]/, heal: () => orders.ended() }
    },
  },
  {
    name: 'a provider refuses our key',
    alert: 'FilmgateProviderKeyRefused',
    async inject() {
      const orders = await order(1, { behaviours: [{ name: 'refuse', code: 'unauthorized' }], times: 1, request: ofFal })
      await orders.ended()
      return { shows: /fal: key_refused/, heal: () => act('provider', 'resume', 'fal') }
    },
  },
  {
    name: 'our account at a provider has no balance',
    alert: 'FilmgateProviderNoBalance',
    async inject() {
      const orders = await order(1, { behaviours: [{ name: 'refuse', code: 'balance_exhausted' }], times: 1, request: ofFal })
      await orders.ended()
      return { shows: /fal: no_balance/, heal: () => act('provider', 'resume', 'fal') }
    },
  },
  {
    name: 'an operator has paused a provider and forgotten it',
    alert: 'FilmgateProviderPaused',
    async inject() {
      await act('provider', 'pause', 'kling')
      return { shows: /kling: paused/, heal: () => act('provider', 'resume', 'kling') }
    },
  },
  {
    name: 'a provider answers submits with 500',
    alert: 'FilmgateProviderUnanswered',
    // Each of its orders may have been taken.
    companions: ['FilmgateReviewWaits'],
    async inject() {
      const from = new Date().toISOString()
      const orders = await order(6, { behaviours: [{ name: '500_before_accept' }] })
      await Promise.all(orders.answers)
      const heal = async () => {
        await act('provider', 'resume', 'simulator')
        const ended = orders.ended().then(() => true)
        // None may be left: a look-up that finds no order ends its review, too.
        const endReviews = async () => {
          const terms = ['--provider', 'simulator', '--from', from, '--to', new Date().toISOString(), '--outcome', 'refund']
          await ops('review', 'end', ...terms, '--reason', 'a test of alerts', '--by', 'ada')
          return Promise.race([ended, false])
        }
        await until('the ends of its orders', endReviews, 120_000, 2_000)
      }
      return { shows: /simulator: unanswered/, heal }
    },
  },
  {
    name: 'a provider is silent to all polls',
    alert: 'FilmgateProviderBreakerOpen',
    companions: ['FilmgateProviderTroubles'],
    async inject() {
      // fal is asked about each attempt by a call of its own. The simulator is asked about a hundred by one, and the breaker counts calls.
      const orders = await order(25, { behaviours: [{ name: 'slow', delay_ms: 30_000 }], request: ofFal })
      await submitted(orders)
      const { heal } = await stopped('simulator', '')
      return { shows: /fal .* open /, heal: () => heal().then(orders.ended) }
    },
  },
  {
    name: 'a provider takes no connection',
    alert: 'FilmgateProviderTroubles',
    async inject() {
      const orders = await order(8, { behaviours: [{ name: 'slow', delay_ms: 30_000 }] })
      await submitted(orders)
      const { heal } = await stopped('simulator', '')
      return { shows: /got no usable answer/, heal: () => heal().then(orders.ended) }
    },
  },
  {
    name: 'a provider has a new word for a status',
    alert: 'FilmgateProviderUnknownWord',
    async inject() {
      const orders = await order(1, { behaviours: [{ name: 'unknown_status', times: 2 }] })
      const taskId = await accepted(orders)
      return { shows: /unknown provider status/, heal: () => orders.account.api.taskOnce(taskId) }
    },
  },
  {
    name: 'a model fails at its provider',
    alert: 'FilmgateModelFails',
    async inject() {
      const orders = await order(4, { behaviours: [{ name: 'fails_after_accept' }], request: { model: 'alpha-h3-fast' } })
      const [task] = await orders.ended()
      return { shows: new RegExp(`${task?.id}.*generation_failed`), heal: async () => {} }
    },
  },
  {
    name: 'a provider delivers less than was ordered',
    alert: 'FilmgateDeliveriesShort',
    async inject() {
      const orders = await order(3, { behaviours: [{ name: 'deliver_shorter', seconds: 1 }], request: { duration: 2 } })
      const [task] = await orders.ended()
      return { shows: new RegExp(`${task?.id}.*duration`), heal: async () => {} }
    },
  },
  {
    name: 'an answer was lost, and nothing settles it',
    alert: 'FilmgateReviewWaits',
    companions: ['FilmgateProviderTroubles'],
    async inject() {
      const orders = await order(1, { behaviours: [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 1_000_000 }] })
      const answer = await orders.answers[0]
      const taskId = String(answer?.body.error?.details?.task_id)
      const heal = async () => {
        await act('review', 'refund', taskId)
        await orders.account.api.taskOnce(taskId)
      }
      return { shows: taskId, heal }
    },
  },
]
