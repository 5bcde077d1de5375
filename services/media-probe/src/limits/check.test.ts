import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { InputMediaSchema, KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { checkDeclaredSeconds, checkDecodedPixels, checkFormat, checkFrameRate, checkSeconds, checkSize } from './check'
import { findTotalSecondsFault } from './check-total-seconds'

const limits = create(KindLimitsSchema, {
  ...{ widthMin: 256, widthMax: 5760, heightMin: 256, heightMax: 5760, ratioMin: 0.4, ratioMax: 2.5 },
  ...{ frameRateMin: 23.976, frameRateMax: 60, secondsMin: 2, secondsMax: 15 },
})
const unlimited = create(KindLimitsSchema, {})

function refusal(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test.each([
  [256, 256, undefined],
  [255, 256, 'media_dimensions'],
  [256, 255, 'media_dimensions'],
  [5760, 5760, undefined],
  [5761, 5760, 'media_dimensions'],
  [5760, 5761, 'media_dimensions'],
  [1000, 400, undefined],
  [1004, 400, 'media_dimensions'],
  [400, 1000, undefined],
  [390, 1000, 'media_dimensions'],
])('%d × %d: %s', (width, height, outcome) => {
  expect(refusal(() => checkSize({ width, height, ratio: width / height }, limits))).toBe(outcome as string)
})

test('a file of another type is rejected with the advice for its field', () => {
  const heic = { format: undefined, name: 'an HEIC picture', advice: { jpeg: 'save it as JPEG and send that' } }
  expect(() => checkFormat(heic, ['jpeg', 'png', 'webp'])).toThrow(
    expect.objectContaining({
      reason: 'media_type_unsupported',
      options: { details: { measured: 'an HEIC picture: save it as JPEG and send that', limit: 'jpeg, png, webp' } },
    }),
  )
  expect(() => checkFormat(heic, ['mp4', 'mov'])).toThrow(
    expect.objectContaining({ options: { details: { measured: 'an HEIC picture', limit: 'mp4, mov' } } }),
  )
})

test.each([
  [1.99, 'media_duration'],
  [2, undefined],
  [15, undefined],
  [15.01, 'media_duration'],
])('%d s: %s', (seconds, outcome) => {
  expect(refusal(() => checkSeconds(seconds, limits))).toBe(outcome as string)
})

test('two seconds in a time scale of 600 may end one tick early', () => {
  expect(refusal(() => checkSeconds(1199 / 600, limits, 1 / 600))).toBeUndefined()
  expect(refusal(() => checkSeconds(1.99, limits, 1 / 24))).toBe('media_duration')
})

test.each([
  [24_000 / 1001, undefined],
  [23.9, 'media_frame_rate'],
  [60, undefined],
  [60_000 / 1001, undefined],
  [60.3, undefined],
  [60.31, 'media_frame_rate'],
])('%d frames a second: %s', (average, outcome) => {
  expect(refusal(() => checkFrameRate({ average, roundingShare: 0, varies: false }, limits))).toBe(outcome as string)
})

test('a rate that varies is refused as an average, with what helps', () => {
  const refused = (varies: boolean) => {
    try {
      checkFrameRate({ average: 20.2, roundingShare: 0, varies }, limits)
    } catch (error) {
      return (error as Failure).options.details
    }
  }
  expect(refused(false)).toEqual({ measured: '20.2', limit: '23.976–60 frames a second' })
  expect(refused(true)).toEqual({ measured: '20.2 on average', limit: '23.976–60 frames a second: export it at a constant 30' })
})

test('one tick of a coarse time scale doesn’t change the rate', () => {
  expect(refusal(() => checkFrameRate({ average: 23.9, roundingShare: 0.01 / 2.001, varies: false }, limits))).toBeUndefined()
  expect(refusal(() => checkFrameRate({ average: 23.9, roundingShare: 1 / 120_000, varies: false }, limits))).toBe('media_frame_rate')
})

test.each([
  [5, 5, undefined],
  [4.2, 5, undefined],
  [4.2, 4, 'media_duration_mismatch'],
  [4.2, 6, 'media_duration_mismatch'],
  // Two frames of 1/30 s over the second may count or not.
  [5.067, 5, undefined],
  [5.067, 6, undefined],
  [5.07, 5, 'media_duration_mismatch'],
  [7.7, 0, undefined],
])('%d s declared as %d: %s', (seconds, declared, outcome) => {
  expect(refusal(() => checkDeclaredSeconds(seconds, 1 / 30, declared))).toBe(outcome as string)
})

test('of a slow movie, a tenth of a second at most may count or not', () => {
  expect(refusal(() => checkDeclaredSeconds(5.1, 1 / 10, 5))).toBeUndefined()
  expect(refusal(() => checkDeclaredSeconds(5.11, 1 / 10, 5))).toBe('media_duration_mismatch')
})

test('a video within size and rate limits may exceed the pixel limit', () => {
  expect(refusal(() => checkDecodedPixels(5760, 5760, 900))).toBe('media_dimensions')
  expect(refusal(() => checkDecodedPixels(3840, 2160, 1800))).toBeUndefined()
})

test('zero means no limit', () => {
  expect(refusal(() => checkSize({ width: 1, height: 100_000, ratio: 0.00001 }, unlimited))).toBeUndefined()
  expect(refusal(() => checkSeconds(10_000, unlimited))).toBeUndefined()
  expect(refusal(() => checkFrameRate({ average: 1000, roundingShare: 0, varies: true }, unlimited))).toBeUndefined()
})

const [clip, tone] = [
  { kind: MediaKind.VIDEO, field: 'reference_video_urls' },
  { kind: MediaKind.AUDIO, field: 'reference_audio_urls' },
]
const measuredFiles = (...files: [typeof clip, number][]) =>
  files.map(([of, seconds], index) => ({ input: create(InputMediaSchema, { ...of, index }), seconds }))
const totals = [MediaKind.VIDEO, MediaKind.AUDIO].map(kind => create(KindLimitsSchema, { kind, secondsTotalMax: 15 }))

test('measured lengths are summed per kind, and the first file over the limit is named', () => {
  const within = measuredFiles([clip, 5], [clip, 5.0004], [clip, 5], [tone, 15])
  expect(findTotalSecondsFault(within, totals)).toBeUndefined()
  expect(findTotalSecondsFault(measuredFiles([clip, 8], [clip, 8]), [create(KindLimitsSchema, { kind: MediaKind.VIDEO })])).toBeUndefined()
  const fault = findTotalSecondsFault(measuredFiles([tone, 2], [clip, 5.04], [clip, 5.04], [clip, 5.04]), totals)
  expect([fault?.input.field, fault?.input.index, fault?.error.reason]).toEqual(['reference_video_urls', 3, 'media_duration'])
  const words = { measured: '15.12 s in all 3 files', limit: '15 s of all files of reference_video_urls together' }
  expect(fault?.error.options.details).toEqual(words)
})
