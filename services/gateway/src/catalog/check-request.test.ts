import { expect, test } from 'bun:test'
import { checkRequest } from './check-request'
import { testCard, testCatalog } from './testing/cards'

const catalog = testCatalog(testCard(), testCard({ model: 'test-2', defaultMode: '' }))
const check = (body: unknown) => {
  const checked = checkRequest(catalog, body)
  return checked.ok
    ? checked.request
    : { code: checked.code, issues: checked.issues.map(issue => `${issue.path} · ${issue.rule} · ${issue.message}`) }
}

test('a request that names no model is for the default one, in its default mode, with defaults applied and the prompt trimmed', () => {
  expect(check({ prompt: ' a boat\n' })).toEqual({
    model: 'test-1',
    mode: 'text-to-video',
    prompt: 'a boat',
    duration: 5,
    resolution: '480p',
    generate_audio: false,
  })
})

test('every fault is named at once, each with its place, its rule and a sentence', () => {
  expect(check({ model: 'test-1', prompt: ' ', duration: 11, resolution: 480, seed: 1, durration: 4 })).toEqual({
    code: 'invalid_request',
    issues: [
      'seed · unsupported_field · test-1 does not take "seed"',
      'durration · unsupported_field · test-1 does not take "durration"; did you mean duration?',
      'prompt · min_length · prompt must have at least 1 character, and has 0',
      'duration · maximum · duration must be from 4 to 10, and is 11',
      'resolution · enum · resolution must be 480p or 1080p, and is 480',
    ],
  })
})

test('what is inside a list or an object is not shown: writing a deep one down takes as long as its depth squared', () => {
  const deep = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000))
  expect(check({ prompt: deep, duration: { a: deep }, resolution: 'x'.repeat(70) })).toMatchObject({
    issues: [
      'prompt · type · prompt must be text, and is a list',
      'duration · type · duration must be a whole number, and is an object',
      `resolution · enum · resolution must be 480p or 1080p, and is "${'x'.repeat(56)}…`,
    ],
  })
})

test('a rule speaks in the caller’s values, and says nothing of fields that are faulty themselves', () => {
  expect(check({ prompt: 'x', resolution: '1080p' })).toEqual({
    code: 'invalid_request',
    issues: ['duration · duration_at_1080p · duration must be 6 when resolution is 1080p'],
  })
  expect(check({ prompt: 'x', resolution: '1080p', duration: '6' })).toEqual({
    code: 'invalid_request',
    issues: ['duration · type · duration must be a whole number, and is "6"'],
  })
})

test('sums, counts and choices of references are rules too', () => {
  const media = { model: 'test-1', mode: 'media-to-video', prompt: 'x' }
  const url = 'https://a.example/v.mp4'
  expect(check(media)).toMatchObject({
    issues: ['reference_image_urls · references_min · reference_image_urls or reference_video_urls must have at least 1 item'],
  })
  expect(check({ ...media, reference_video_urls: [url], reference_video_durations: [2, 2] })).toMatchObject({
    issues: [
      'reference_video_durations · video_durations_count · reference_video_durations must have as many items as reference_video_urls, and has 2',
    ],
  })
  expect(check({ ...media, duration: 10, reference_video_urls: [url, url], reference_video_durations: [9, 2] })).toMatchObject({
    issues: ['duration · total_seconds · duration plus the sum of reference_video_durations must be at most 20, and is 21'],
  })
  expect(check({ ...media, reference_video_urls: [url, 'http://a', 3, url, url], reference_video_durations: [1] })).toMatchObject({
    issues: [
      'reference_video_urls · max_items · reference_video_urls must have at most 3 items, and has 5',
      'reference_video_urls[1] · https_url · reference_video_urls[1] must be an https:// URL, and is "http://a"',
      'reference_video_urls[2] · type · reference_video_urls[2] must be a URL, and is 3',
      'reference_video_durations[0] · minimum · reference_video_durations[0] must be from 2 to 9, and is 1',
    ],
  })
})

test('the code tells an unknown model and unsupported fields from other faults', () => {
  expect(check({ model: 'tset-1', prompt: 'x' })).toEqual({
    code: 'unknown_model',
    issues: ['model · enum · there is no model "tset-1"; did you mean test-1?'],
  })
  expect(check({ prompt: 'x', image_url: 'https://a.example/i.png' })).toEqual({
    code: 'unsupported_field',
    issues: ['image_url · unsupported_field · image_url is not taken in text-to-video: test-1 takes it in image-to-video'],
  })
  expect(check({ model: 3 })).toMatchObject({ code: 'invalid_request' })
  for (const body of [null, 7, 'x', [], undefined])
    expect(check(body)).toEqual({ code: 'invalid_request', issues: [' · type · the body must be a JSON object'] })
})

test('with a mode that is not one, the faults are those of every mode', () => {
  expect(check({ model: 'test-2', prompt: '', image_url: 7 })).toEqual({
    code: 'invalid_request',
    issues: [
      'mode · required · mode must be text-to-video, image-to-video or media-to-video for test-2',
      'prompt · min_length · prompt must have at least 1 character, and has 0',
    ],
  })
  expect(check({ prompt: 'x', mode: null })).toMatchObject({ code: 'invalid_request' })
})

test('a prompt that shows nothing is empty', () => {
  for (const prompt of ['\u200b', '\u200f', '\u2800', '\u3164', '\ufe0f', '\u00ad', '\u0085', ' \u2060\u00a0\ufeff\u180e\u034f '])
    expect(check({ prompt })).toEqual({
      code: 'invalid_request',
      issues: ['prompt · min_length · prompt must have a visible character, and has none'],
    })
  for (const prompt of ['\u200bx', '❤\ufe0f', '\u05d0\u200f', '🎬', '.']) expect(check({ prompt })).toMatchObject({ prompt })
})
test('a prompt is counted in code points after trimming', () => {
  expect(check({ prompt: ` ${'🎬'.repeat(20)} ` })).toMatchObject({ prompt: '🎬'.repeat(20) })
  expect(check({ prompt: '🎬'.repeat(21) })).toMatchObject({
    issues: ['prompt · max_length · prompt must have at most 20 characters, and has 21'],
  })
  expect(check({ prompt: 'a\0' })).toMatchObject({ issues: [expect.stringContaining('well_formed')] })
  expect(check({ prompt: '\ud800' })).toMatchObject({ issues: [expect.stringContaining('well_formed')] })
})

test('inherited and magic names are properties like any other', () => {
  expect(check(JSON.parse('{"prompt":"x","__proto__":{"duration":99}}'))).toMatchObject({ code: 'unsupported_field' })
  expect(check(JSON.parse('{"prompt":"x","constructor":1}'))).toMatchObject({ code: 'unsupported_field' })
  expect(check({ prompt: 'x', model: 'constructor' })).toMatchObject({ code: 'unknown_model' })
})

test('a body of nothing but faults is answered with at most a hundred of them', () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]))
  expect(check(body)).toMatchObject({ issues: { length: 100 } })
})
