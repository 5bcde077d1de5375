import { expect, test } from 'bun:test'
import { createBus } from '../bus'
import { servers, testLog, testTopic, until } from '../testing'
import { listDeadLetters, replayDeadLetters } from './dead-letters'

test('a message that was set aside is listed with its cause, goes back once, and is handled when the fault is mended', async () => {
  const topic = await testTopic(2)
  const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
  const options = { brokers: servers.kafkaBrokers, topics: [`${topic.name}.dlq`] }
  const handled: string[] = []
  let mended = false
  bus.consume({
    group: `${topic.name}-group`,
    topics: {
      [topic.name]: bytes => {
        const words = new TextDecoder().decode(bytes)
        if (words === 'poison' && !mended) throw new Error('this one is poison')
        return words
      },
    },
    handle: async messages => void handled.push(...messages.map(message => `${message.key}:${message.event}:${message.eventId}`)),
  })
  try {
    const message = (value: string) => ({ topic: topic.name, key: 'a1', value: new TextEncoder().encode(value), eventId: `event-${value}` })
    await bus.publish([message('poison'), message('good')])
    const letters = await until('the poison is set aside', async () => {
      const found = await listDeadLetters(options)
      return found.length > 0 && found
    })
    expect(letters).toMatchObject([
      { topic: `${topic.name}.dlq`, key: 'a1', eventId: 'event-poison', group: `${topic.name}-group`, cause: 'Error: this one is poison' },
    ])

    mended = true
    expect(await replayDeadLetters(options)).toHaveLength(1)
    await until('the poison is handled', () => handled.includes('a1:poison:event-poison'))
    expect(handled).toEqual(['a1:good:event-good', 'a1:poison:event-poison'])
    expect(await listDeadLetters(options)).toEqual([])
    expect(await replayDeadLetters(options)).toEqual([])
  } finally {
    await bus.stop()
    await topic.drop()
  }
})
