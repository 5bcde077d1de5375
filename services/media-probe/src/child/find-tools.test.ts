import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { findTools } from './find-tools'

test('all missing programs are listed at once, with their settings', async () => {
  const names = { ffprobe: 'no-such-ffprobe', ffmpeg: '/no/such/ffmpeg' }
  await expect(findTools(names, tmpdir(), undefined, '/nowhere')).rejects.toThrow(
    'programs are missing: prlimit, no-such-ffprobe (FILMGATE_FFPROBE), /no/such/ffmpeg (FILMGATE_FFMPEG). Install',
  )
})
