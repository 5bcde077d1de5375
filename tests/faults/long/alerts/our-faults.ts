import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { Kafka, logLevel } from 'kafkajs'
import { openAccount } from '../../../support/client/account'
import { sampleMedia } from '../../../support/client/sample-media'
import { operate } from '../../../support/operator/operator'
import { ops, opsDone } from '../../../support/operator/ops'
import { refuseRows, run } from '../../../support/servers/databases'
import { deadLetters } from '../../../support/servers/dead-letters'
import { refuseLogins } from '../../../support/servers/refused-logins'
import { settings } from '../../../support/settings'
import { move } from '../../../support/stack'
import { until } from '../../../support/until'
import { accepted, act, type Fault, order, release, stopped } from './fault'

/** What can't be read while a login or a server is away. */
const unread = ['FilmgateReadingsFail']

export const ourFaults: Fault[] = [
  {
    name: "an account's balance was changed by hand",
    alert: 'FilmgateBooksDoNotBalance',
    async inject() {
      const { accountId } = await openAccount()
      const change = (credits: number) => run('ledger', `update account set available = available + ${credits} where id = $1`, [accountId])
      await change(5)
      return { shows: new RegExp(`balance_differs[\\s\\S]*${accountId}`), heal: () => change(-5) }
    },
  },
  {
    name: 'Redis does not run',
    alert: 'FilmgateRateLimitWithoutRedis',
    async inject() {
      const { api } = await openAccount()
      const { heal } = await stopped('redis', '')
      await api.get('/credits')
      return { shows: /ECONNREFUSED|[Cc]onnection/, heal: () => heal().then(() => api.get('/credits')) }
    },
  },
  {
    name: 'the operators file is broken',
    alert: 'FilmgateOperatorsFileFaulty',
    async inject() {
      const file = settings.operatorsFile
      const before = await Bun.file(file).text()
      writeFileSync(file, '{"operators": [{"name": 7}]}')
      return { shows: 'operators/0/name: Expected string', heal: async () => writeFileSync(file, before) }
    },
  },
  {
    name: 'a task has not moved for five hours',
    alert: 'FilmgateReservationsOld',
    async inject() {
      const orders = await order(1, { behaviours: [{ name: 'never_finishes' }] })
      const taskId = await accepted(orders)
      await run(
        'ledger',
        `set session_replication_role = replica; update reservation set reserved_at = reserved_at - interval '5 hours',
        changed_at = changed_at - interval '5 hours' where task_id = '${taskId}'`,
      )
      return { shows: taskId, heal: () => release(orders.prompt).then(orders.ended) }
    },
  },
  {
    name: 'S3 does not run, and videos are finished',
    alert: 'FilmgateOwnFaultCopies',
    async inject() {
      const orders = await order(2, { behaviours: [{ name: 'slow', delay_ms: 3_000 }] })
      await Promise.all(orders.answers)
      const { heal } = await stopped('s3', '')
      return { shows: /ConnectionRefused|ECONNREFUSED|[Uu]nable to connect/, heal: () => heal().then(orders.ended) }
    },
  },
  {
    name: 'S3 does not run, and pictures are checked',
    alert: 'FilmgateMediaNotChecked',
    async inject() {
      const account = await openAccount()
      let orders: Awaited<ReturnType<typeof order>> | undefined
      const frames = { mode: 'image-to-video', image_url: sampleMedia('first.jpg'), end_image_url: sampleMedia('last.jpg') }
      const { heal } = await stopped('s3', '', async () => {
        orders = await order(3, { account, request: frames })
      })
      return { shows: /store/, heal: () => heal().then(() => orders?.ended()) }
    },
  },
  {
    name: 'no webhook endpoint can be reached',
    alert: 'FilmgateWebhooksAllFail',
    async inject() {
      const account = await openAccount({ credits: 100_000 })
      const made = await account.api.send('POST', '/webhook-endpoints', {
        headers: { 'content-type': 'application/json' },
        // A name that no DNS has an answer for.
        body: JSON.stringify({ url: `https://${crypto.randomUUID()}.com/hook` }),
      })
      expect(made.status).toBe(201)
      const { id } = JSON.parse(made.text) as { id: string }
      const orders = await order(3, { account })
      await orders.ended()
      return { shows: 'unresolvable', heal: () => account.api.send('DELETE', `/webhook-endpoints/${id}`) }
    },
  },
  {
    name: 'a message can not be handled',
    alert: 'FilmgateMessagesSetAside',
    companions: ['FilmgateDeadLettersWait'],
    inject: () => setAside(false),
  },
  {
    name: 'a grant is asked for again with other terms',
    alert: 'FilmgateLedgerContradiction',
    companions: ['FilmgateBooksDoNotBalance'],
    async inject() {
      const { accountId } = await openAccount()
      const id = crypto.randomUUID()
      const grant = (credits: number) =>
        operate('gateway', 'POST', `/accounts/${accountId}/grants`, { id, credits, balance: 'paid', reason: 'a test', by: 'ada' })
      await grant(50)
      await grant(51).catch(() => {})
      return { shows: id, heal: () => act('task', 'acknowledge', id) }
    },
  },
  {
    name: "the database refuses the ledger's login",
    alert: 'FilmgateConsumerHeld',
    companions: [...unread, 'FilmgateConsumerBehind', 'FilmgateConsumerStands', 'FilmgateOutboxStuck'],
    async inject() {
      const account = await openAccount()
      const accept = await refuseLogins('ledger')
      const orders = await order(1, { account })
      return { shows: /password authentication failed/, heal: () => accept().then(orders.ended) }
    },
  },
  {
    name: "the database refuses the gateway's login",
    alert: 'FilmgateErrorsToClients',
    companions: [...unread, 'FilmgateConsumerHeld', 'FilmgateConsoleErrors'],
    async inject() {
      const { api } = await openAccount()
      const accept = await refuseLogins('gateway')
      const asking = setInterval(() => void api.get('/credits').catch(() => {}), 300)
      const heal = async () => {
        clearInterval(asking)
        await accept()
      }
      return { shows: /\d+ "code":"service_unavailable"/, heal }
    },
  },
  {
    name: "the database refuses the console's login",
    alert: 'FilmgateReadingsFail',
    async inject() {
      const accept = await refuseLogins('console')
      return { shows: /password authentication failed/, heal: accept }
    },
  },
  {
    name: 'a topic is missing',
    alert: 'FilmgateLagUnknown',
    async inject() {
      const topic = 'filmgate.callbacks.v1.dlq'
      const admin = new Kafka({ clientId: 'tests', brokers: settings.kafkaBrokers, logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      const numPartitions = (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length
      await admin.deleteTopics({ topics: [topic] })
      const heal = async () => {
        await admin.createTopics({ topics: [{ topic, numPartitions, replicationFactor: 1 }] })
        await admin.disconnect()
      }
      return { shows: topic, heal }
    },
  },
  {
    name: 'Kafka does not run',
    alert: 'FilmgateOutboxStuck',
    companions: ['FilmgateLagUnknown', ...unread],
    async inject() {
      // Without a broker no order is taken: what waits to be published is the end of one that was.
      const orders = await order(1, { behaviours: [{ name: 'slow', delay_ms: 5_000 }] })
      await accepted(orders)
      const { shows, heal } = await stopped('kafka', /kafka +down/)
      return { shows, heal: () => heal().then(orders.ended) }
    },
  },
  {
    name: 'a service was scaled to 0',
    alert: 'FilmgateServiceAbsent',
    async inject(prometheus) {
      prometheus.discoverWithout('catalog')
      const { shows, heal } = await stopped('catalog', /catalog +down/)
      const back = async () => {
        await heal()
        prometheus.discoverWithout()
      }
      return { shows, heal: back }
    },
  },
  {
    name: 'a service hangs',
    alert: 'FilmgateConsumerStands',
    companions: ['FilmgateTargetDown', 'FilmgateConsumerBehind'],
    async inject() {
      await move('webhooks', 'pause')
      const orders = await order(1)
      await orders.ended()
      return { shows: /webhooks +paused/, heal: () => move('webhooks', 'resume') }
    },
  },
  {
    name: 'a service does not run',
    alert: 'FilmgateTargetDown',
    inject: () => stopped('webhooks', /webhooks +down/),
  },
  {
    name: 'a message is replayed before its cause is repaired',
    alert: 'FilmgateDeadLettersCameBack',
    companions: ['FilmgateMessagesSetAside', 'FilmgateDeadLettersWait'],
    inject: () => setAside(true),
  },
]

/** A message of an account is refused by the ledger's database, and so again where it is sent back too early. */
async function setAside(tooEarly: boolean) {
  const account = await openAccount()
  const accept = await refuseRows(['ledger', 'reservation'], account.accountId)
  const orders = await order(1, { account })
  await until('the letter', async () => (await deadLetters()).length > 0)
  if (tooEarly) await opsDone('dlq', 'replay')
  const heal = async () => {
    await accept()
    await until('the letters to be handled', async () => {
      await ops('dlq', 'replay')
      return (await deadLetters()).length === 0
    })
    await orders.ended()
  }
  return { shows: tooEarly ? /cameBack +1/ : /refused_by_a_test/, heal }
}
