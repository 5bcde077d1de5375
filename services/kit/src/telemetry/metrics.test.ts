import { expect, test } from 'bun:test'
import { counter, declareValues, gauge, late, metricsText } from './metrics'

const linesOf = async (name: string) =>
  (await metricsText())
    .split('\n')
    .filter(line => line.startsWith(name))
    .sort()

test('a counter is there at 0 from the start, with every combination of what its labels may say', async () => {
  counter('metrics_test_plain', 'without labels')
  const results = counter('metrics_test_results', 'with labels', { call: ['poll', 'submit'], sent: [true, false] })
  expect(await linesOf('metrics_test_plain')).toEqual(['metrics_test_plain_total 0'])
  results.add(1, { call: 'poll', sent: true })
  expect(await linesOf('metrics_test_results')).toEqual([
    'metrics_test_results_total{call="poll",sent="false"} 0',
    'metrics_test_results_total{call="poll",sent="true"} 1',
    'metrics_test_results_total{call="submit",sent="false"} 0',
    'metrics_test_results_total{call="submit",sent="true"} 0',
  ])
})

test('what is known only once the process runs is there at 0 as soon as it is declared', async () => {
  const moved = counter('metrics_test_moved', 'one label known late', { provider: late, state: ['begun', 'ended'] })
  const aside = counter('metrics_test_aside', 'two of them', { group: late, topic: late })
  declareValues('provider', ['simulator'])
  declareValues('group', ['a'])
  aside.declare({ group: ['a'], topic: ['x', 'y'] })
  moved.add(2, { provider: 'simulator', state: 'ended' })
  declareValues('provider', ['simulator'])
  expect(await linesOf('metrics_test_moved')).toEqual([
    'metrics_test_moved_total{provider="simulator",state="begun"} 0',
    'metrics_test_moved_total{provider="simulator",state="ended"} 2',
  ])
  expect(await linesOf('metrics_test_aside')).toEqual([
    'metrics_test_aside_total{group="a",topic="x"} 0',
    'metrics_test_aside_total{group="a",topic="y"} 0',
  ])
})

test('a counter of two late labels is there at 0 once both are declared, in either order and as values are added', async () => {
  counter('metrics_test_short', 'two of them', { provider_late: late, model_late: late })
  declareValues('provider_late', ['one'])
  expect(await linesOf('metrics_test_short')).toEqual([])
  declareValues('model_late', ['a'])
  declareValues('provider_late', ['two'])
  declareValues('model_late', ['b'])
  expect(await linesOf('metrics_test_short')).toEqual(
    ['one', 'two'].flatMap(provider =>
      ['a', 'b'].map(model => `metrics_test_short_total{provider_late="${provider}",model_late="${model}"} 0`),
    ),
  )
})

test('a gauge that hangs or fails hides no other, is not asked again while it hangs, and is told of', async () => {
  let asked = 0
  const { promise, resolve } = Promise.withResolvers<number>()
  gauge('metrics_test_hanging', 'never answers', () => {
    asked += 1
    return promise
  })
  gauge('metrics_test_failing', 'throws', () => Promise.reject(new Error('no database')))
  gauge('metrics_test_sound', 'answers', () => 3)
  const [first] = await Promise.all([metricsText(), metricsText()])
  expect(first).toContain('metrics_test_sound 3')
  expect(first).not.toContain('metrics_test_hanging ')
  expect(asked).toBe(1)
  resolve(4)
  // What failed is told with the next scrape.
  const next = await metricsText()
  expect(next).toContain('metrics_test_hanging 4')
  expect(next).toContain('gauge_failing{gauge="metrics_test_hanging"} 1')
  expect(next).toContain('gauge_failing{gauge="metrics_test_failing"} 1')
  expect(next).toContain('gauge_failing{gauge="metrics_test_sound"} 0')
})
