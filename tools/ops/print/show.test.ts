import { expect, test } from 'bun:test'
import { render } from './show'

test('an answer reads as lines, a list as a table, and an empty one says so', () => {
  expect(
    render({
      declined: null,
      id: 't1',
      credits: 3,
      events: [
        { kind: 'a', at: 'now' },
        { kind: 'longer', details: { b: 1 } },
      ],
      reviews: [],
    }),
  ).toBe(
    [
      'id       t1',
      'credits  3',
      '',
      'events',
      '  kind    at   details',
      '  a       now',
      '  longer       {"b":1}',
      '',
      'reviews',
      '  (none)',
    ].join('\n'),
  )
})

test('a column that is empty everywhere is left out, and rows too wide for a line stand one below the other', () => {
  expect(
    render([
      { id: 'a', gone: null },
      { id: 'b', gone: null },
    ]),
  ).toBe('id\na\nb')
  const wide = { name: 'x'.repeat(150), other: 'y'.repeat(60) }
  expect(render([wide, wide])).toBe(
    [`name   ${wide.name}`, `other  ${wide.other}`, '', `name   ${wide.name}`, `other  ${wide.other}`].join('\n'),
  )
})

test('rows that hold tables stand one below the other, and words in a list beside each other', () => {
  const models = [
    { model: 'm', lacks: ['seed', 'resolution 4k'] },
    { model: 'n', lacks: [] },
  ]
  expect(
    render([
      { provider: 'a', on: true, models },
      { provider: 'b', on: false },
    ]),
  ).toBe(
    [
      'provider  a',
      'on     true',
      '',
      'models',
      '  model  lacks',
      '  m      seed, resolution 4k',
      '  n',
      '',
      'provider  b',
      'on     false',
    ].join('\n'),
  )
})
