import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { FieldKind, ModelModeSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { frameOf, sizeOf } from './sizes'

const modeWith = (resolutions: string[], ratios: string[]) =>
  create(ModelModeSchema, {
    name: 'text-to-video',
    fields: [
      { name: 'resolution', kind: FieldKind.CHOICE, choices: resolutions },
      { name: 'aspect_ratio', kind: FieldKind.CHOICE, choices: ratios },
    ],
  })
const wide = modeWith(['480p', '768p', '1080p', '2k', 'hd'], ['21:9', '16:9', '1:1', '9:16', 'adaptive'])

test.each([
  ['1280x720', 'hd', '16:9'],
  ['720x1280', 'hd', '9:16'],
  ['1920x1080', '1080p', '16:9'],
  ['2560x1440', '2k', '16:9'],
  ['854x480', '480p', '16:9'],
  ['1366x768', '768p', '16:9'],
  ['768x768', '768p', '1:1'],
])('%s is %s at %s, and is told as it was asked for', (size, resolution, aspect_ratio) => {
  expect(frameOf(wide, size)).toEqual({ resolution, aspect_ratio })
  expect(sizeOf({ resolution, aspect_ratio })).toBe(size)
})

test('a resolution may be named alone', () => {
  expect(frameOf(wide, '768p')).toEqual({ resolution: '768p' })
  expect(sizeOf({ resolution: '768p' })).toBeUndefined()
})

test.each(['1792x1024', '1280x721', '1280', '0x0', '99999999x720', '1280x720 ', 'constructor'])('%p is refused with every size', size => {
  expect(frameOf(modeWith(['720p', '1080p'], ['16:9', '9:16', 'adaptive']), size)).toEqual({
    sizes: '1280x720, 720x1280, 1920x1080 or 1080x1920',
  })
})

test('where the ratio follows the picture only a resolution can be asked for', () => {
  expect(frameOf(modeWith(['768p', '2k'], ['adaptive']), '1280x720')).toEqual({ sizes: '768p or 2k' })
})
