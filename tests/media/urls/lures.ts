import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { externalUrl } from '../hostile/movies'
import { makeClip } from '../support/make-media'
import type { luringFiles } from './vectors'

const elsewhere = 'http://10.96.0.1/leak'
const ftyp = Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypisom\0\0\0\0')])
const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${elsewhere}.ts\n#EXT-X-ENDLIST\n`

/** Playlists under a movie's name, a playlist behind a movie's first box, and a movie whose data lie behind a URL. */
export async function makeLures(folder: string): Promise<Record<keyof typeof luringFiles, string>> {
  const write = async (name: string, bytes: string | Buffer) => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }
  const plain = await makeClip(folder, 'plain.mp4', { width: 256, height: 256, sound: true })
  return {
    'hls.mp4': await write('hls.mp4', playlist),
    'dash.mp4': await write(
      'dash.mp4',
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation><BaseURL>${elsewhere}.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ),
    'concat.mp4': await write('concat.mp4', `ffconcat version 1.0\nfile ${elsewhere}.mp4\n`),
    'hidden.mp4': await write('hidden.mp4', Buffer.concat([ftyp, Buffer.from(playlist)])),
    'external.mp4': await write('external.mp4', externalUrl(await readFile(plain), `${elsewhere}.mp4`)),
    'plain.mp4': plain,
  }
}
