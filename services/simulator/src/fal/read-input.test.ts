import { expect, test } from 'bun:test'
import { type Form, formOf } from './forms'
import { readInput } from './read-input'

const read = (endpoint: string, input: Record<string, unknown>) => {
  const form = formOf(endpoint) as Form
  expect(form).toBeDefined()
  const { client_task_id, model, prompt, ...rest } = readInput(endpoint, form, { prompt: 'x', ...input })
  return rest
}
const kling = 'fal-ai/kling-video'

test('length and size are read in whichever way a model says them, its defaults among them', () => {
  const text = { mode: 'text-to-video', aspect_ratio: '16:9' }
  expect(read('fal-ai/veo3.1/fast', { resolution: '1080p', generate_audio: false })).toEqual({
    ...{ ...text, duration_seconds: 8, resolution: '1080p', generate_audio: false },
  } as never)
  expect(read(`${kling}/v3/pro/text-to-video`, { duration: '7', aspect_ratio: '9:16' })).toEqual({
    ...{ mode: 'text-to-video', aspect_ratio: '9:16', duration_seconds: 7, resolution: '1080p', generate_audio: true },
  } as never)
  expect(read('minimax/h3/text-to-video', { resolution: '2K' })).toEqual({ ...text, duration_seconds: 5, resolution: '2k' } as never)
  expect(read('fal-ai/minimax/hailuo-02/standard/text-to-video', {})).toMatchObject({ duration_seconds: 6, resolution: '768p' })
  expect(read('wan/v2.6/text-to-video', {})).toMatchObject({ generate_audio: true })
  expect(read('fal-ai/minimax/hailuo-02/standard/text-to-video', {})).not.toHaveProperty('generate_audio')
})

test('media are read under each of their names', () => {
  const image = { start_image_url: 'a', end_image_url: 'b' }
  expect(read(`${kling}/v3/standard/image-to-video`, image)).toMatchObject({
    ...{ mode: 'image-to-video', first_frame_url: 'a', last_frame_url: 'b', aspect_ratio: 'adaptive', resolution: '720p' },
  })
  expect(read('fal-ai/veo3.1/fast/first-last-frame-to-video', { first_frame_url: 'a', last_frame_url: 'b' })).toMatchObject({
    ...{ first_frame_url: 'a', last_frame_url: 'b' },
  })
  expect(read('bytedance/seedance-2.0/reference-to-video', { image_urls: ['a', 'b'], video_urls: ['c'], audio_urls: ['d'] })).toMatchObject(
    {
      ...{
        mode: 'media-to-video',
        reference_images: ['a', 'b'],
        reference_videos: ['c'],
        reference_audios: ['d'],
        aspect_ratio: 'adaptive',
      },
    },
  )
})
