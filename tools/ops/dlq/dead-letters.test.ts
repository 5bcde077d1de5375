import { expect, test } from 'bun:test'
import { OpsFault } from '../fault'
import { dlqList, dlqReplay } from './dead-letters'

test('a broker that is not there is a fault in one sentence', async () => {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const settings = { kafka: { brokers: [`127.0.0.1:${listener.port}`] }, topicPrefix: 'filmgate' }
  listener.stop(true)
  for (const fault of await Promise.all([dlqList, dlqReplay].map(ask => ask(settings, {}).catch((error: unknown) => error)))) {
    expect(fault).toBeInstanceOf(OpsFault)
    expect((fault as OpsFault).message).toContain(`Kafka doesn't answer at ${settings.kafka.brokers[0]} (`)
  }
})
