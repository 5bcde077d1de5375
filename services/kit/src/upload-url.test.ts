import { expect, test } from 'bun:test'
import { namesUpload, uploadAt, uploadUrlOf } from './upload-url'

const key = `Account-1_x/${'a'.repeat(20)}_-.jpg`

test('what a key makes names its key and its account', () => {
  expect(namesUpload(uploadUrlOf(key))).toBe(true)
  expect(uploadAt(uploadUrlOf(key))).toEqual({ key, accountId: 'Account-1_x' })
})

test.each([
  `http://uploads.filmgate.internal/${key}`,
  `https://uploads.filmgate.internal:444/${key}`,
  `https://user@uploads.filmgate.internal/${key}`,
  `https://UPLOADS.filmgate.internal/${key}`,
  `${uploadUrlOf(key)}?x`,
  `${uploadUrlOf(key)}/..`,
  uploadUrlOf(`a/b/${key}`),
  uploadUrlOf(`../${key}`),
  uploadUrlOf(key.replace('.jpg', '')),
  `${uploadUrlOf(key)}\n`,
])('%s means an upload and is none', url => {
  expect(namesUpload(url)).toBe(true)
  expect(uploadAt(url)).toBeUndefined()
})

test.each(['https://example.com/a.jpg', `https://uploads.filmgate.internal.example.com/${key}`, 'no url'])('%s means none', url => {
  expect(namesUpload(url)).toBe(false)
  expect(uploadAt(url)).toBeUndefined()
})
