import { expect, test } from 'bun:test'
import { base62, hashKey, keyIdOf, newKey, newKeyId } from './api-key'

test('a new key says its id, and only whole', () => {
  const keyId = newKeyId()
  const key = newKey(keyId)
  expect(key).toMatch(/^sk_live_[0-9A-Za-z]{61}$/)
  expect(keyIdOf(key)).toBe(keyId)
})
test('any mistyped character is refused by the checksum, without asking the database', () => {
  const key = newKey(newKeyId())
  for (let place = 'sk_live_'.length; place < key.length; place++) {
    const other = key[place] === 'a' ? 'b' : 'a'
    expect(keyIdOf(key.slice(0, place) + other + key.slice(place + 1))).toBeUndefined()
  }
  expect(keyIdOf('sk_live_short')).toBeUndefined()
})
test('what is stored depends on the pepper', () => {
  const key = newKey(newKeyId())
  expect(hashKey(key, 'one')).not.toEqual(hashKey(key, 'two'))
  expect(hashKey(key, 'one')).toEqual(hashKey(key, 'one'))
})
test('base62 favours no character', () => {
  const counts = new Map<string, number>()
  for (const character of base62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 1,000 expected of each; six standard deviations are 190.
  expect(Math.max(...counts.values())).toBeLessThan(1_200)
  expect(Math.min(...counts.values())).toBeGreaterThan(800)
})
