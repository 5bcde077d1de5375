import { expect, test } from 'bun:test'
import { challengeOf } from './challenge'

const asked = (provider: string, body: unknown) =>
  challengeOf(provider, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))

test('a challenge is told by the one provider that asks so', () => {
  expect(asked('minimax', { challenge: 'a1B2-c3' })).toBe('a1B2-c3')
  for (const provider of ['fal', 'runware', 'simulator', 'MINIMAX']) expect(asked(provider, { challenge: 'a1B2-c3' })).toBeUndefined()
})

test('what is no challenge is a callback, whatever its form', () => {
  for (const body of ['', '{', '[]', '"x"', 'null', {}, { task: { id: '1', status: 'succeeded' } }])
    expect(asked('minimax', body)).toBeUndefined()
  for (const challenge of ['', ' ', 'a b', 'a\n', '<ж>', 'x'.repeat(513), 7, null, { a: 1 }])
    expect([challenge, asked('minimax', { challenge })]).toEqual([challenge, undefined])
  expect(asked('minimax', { challenge: 'x', more: 'x'.repeat(4_096) })).toBeUndefined()
})
