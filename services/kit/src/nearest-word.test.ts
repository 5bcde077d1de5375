import { expect, test } from 'bun:test'
import { nearestWord } from './nearest-word'

const words = ['duration', 'resolution', 'aspect_ratio', 'seed']

test('a slip of the pen finds the word that was meant', () => {
  expect(nearestWord('durration', words)).toBe('duration')
  expect(nearestWord('Resolutoin', words)).toBe('resolution')
  expect(nearestWord('aspectRatio', words)).toBe('aspect_ratio')
})

test('a word that is near nothing is left alone', () => {
  expect(nearestWord('callback_url', words)).toBeUndefined()
  expect(nearestWord('', [])).toBeUndefined()
})
