import { expect, test } from 'bun:test'
import { oversizedFolders } from './folder-size'

const files = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`)

test('a folder with more than fifteen files is reported; subfolders, data and generated code don’t count', () => {
  const sound = [
    ...files('tools/stack', 15),
    ...files('tools/stack/fetch', 3),
    ...files('services/catalog/models', 29),
    ...files('proto/gen/v1', 20),
  ]
  expect(oversizedFolders(sound)).toEqual([])
  expect(oversizedFolders([...sound, 'tools/stack/one-more.ts'])).toEqual(['tools/stack: 16 files'])
})
