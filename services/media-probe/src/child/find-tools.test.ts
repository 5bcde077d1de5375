import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { findTools } from './find-tools'

test('every program that is missing is named at once, with the setting of its name', async () => {
  const names = { ffprobe: 'no-such-ffprobe', ffmpeg: '/no/such/ffmpeg' }
  await expect(findTools(names, tmpdir(), undefined, '/nowhere')).rejects.toThrow(
    'programs are missing: setpriv, prlimit, unshare, true, no-such-ffprobe (FILMGATE_FFPROBE), /no/such/ffmpeg (FILMGATE_FFMPEG). Install',
  )
})
