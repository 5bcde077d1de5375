import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip, makeMedia } from '../support/make-media'
import { corrupt, ok, type Sample, text, truncations, unsupported, video } from './sample'

const u32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
export const box = (type: string, data: Buffer) => Buffer.concat([u32(data.length + 8), text(type), data])

/** Where a box's content begins, by its type; these occur once or are wanted where they occur first. */
const at = (movie: Buffer, type: string) => {
  const offset = movie.indexOf(type, 0, 'latin1')
  if (offset < 0) throw new Error(`the movie has no ${type}`)
  return offset + 4
}

const patched = (movie: Buffer, ...changes: ((copy: Buffer) => void)[]) => {
  const copy = Buffer.from(movie)
  for (const change of changes) change(copy)
  return copy
}

/** Version 0 boxes: duration stands at 16 in mvhd and mdhd, at 20 in tkhd; an edit's length at 8 in elst. */
const lengths = {
  mvhd: (seconds: number) => (movie: Buffer) =>
    movie.writeUInt32BE(seconds * movie.readUInt32BE(at(movie, 'mvhd') + 12), at(movie, 'mvhd') + 16),
  mdhd: (seconds: number) => (movie: Buffer) =>
    movie.writeUInt32BE(seconds * movie.readUInt32BE(at(movie, 'mdhd') + 12), at(movie, 'mdhd') + 16),
  tkhd: (seconds: number) => (movie: Buffer) => movie.writeUInt32BE(seconds * 1000, at(movie, 'tkhd') + 20),
  elst: (seconds: number) => (movie: Buffer) => movie.writeUInt32BE(seconds * 1000, at(movie, 'elst') + 8),
}

/** A header of a minute's film that speaks of five seconds, in every combination of its four places. */
function lies(minute: Buffer): Sample[] {
  const names = ['mvhd', 'mdhd', 'tkhd', 'elst'] as const
  return Array.from({ length: 15 }, (_, index) => names.filter((_, bit) => (index + 1) & (1 << bit))).map(set =>
    // An edit list is what a player shows, so the copy has five seconds of it; what headers alone say of a minute is nobody's reading.
    video(
      `a minute that says five seconds in ${set.join(', ')}`,
      patched(minute, ...set.map(name => lengths[name](5))),
      set.includes('elst') ? ok : ['media_duration'],
      5,
    ),
  )
}

/** Three seconds of samples are three seconds, unless the edit list shows fewer of them: declared as three, those are two. */
function lyingShort(movie: Buffer): Sample[] {
  return (['mvhd', 'mdhd', 'elst'] as const).flatMap(name => [
    video(`three seconds that say two in ${name}`, patched(movie, lengths[name](2)), name === 'elst' ? ['media_duration_mismatch'] : ok),
    video(`three seconds that say ten in ${name}`, patched(movie, lengths[name](10)), ok),
  ])
}

function tangled(movie: Buffer): Sample[] {
  const moovStart = at(movie, 'moov') - 8
  const moov = movie.subarray(moovStart, moovStart + movie.readUInt32BE(moovStart))
  const before = movie.subarray(0, moovStart)
  const deep = (type: string, levels: number) => {
    const heads = Array.from({ length: levels }, (_, level) => Buffer.concat([u32((levels - level) * 8), text(type)]))
    return Buffer.concat(heads)
  }
  const withInMoov = (extra: Buffer) => Buffer.concat([before, box('moov', Buffer.concat([moov.subarray(8), extra]))])
  const dref = at(movie, 'dref')
  return [
    video('moov at the end', movie, ok),
    video('moov absent', before, corrupt),
    video('moov twice', Buffer.concat([movie, moov]), ok),
    video('tracks nested 10,000 deep', withInMoov(deep('trak', 10_000)), ok),
    video('boxes of user data nested 10,000 deep', withInMoov(deep('udta', 10_000)), [...ok, ...corrupt]),
    video(
      'data of another file',
      patched(movie, copy => copy.writeUInt8(0, dref + 8 + 11)),
      corrupt,
    ),
    video('data behind a URL', externalUrl(movie, 'https://10.96.0.1/leak.mp4'), corrupt),
    video('data behind a file path', externalUrl(movie, 'file:///etc/passwd'), corrupt),
    video(
      'a compressed header',
      Buffer.concat([before, box('moov', box('cmov', Buffer.concat([box('dcom', text('zlib')), box('cmvd', Buffer.alloc(100))])))]),
      corrupt,
    ),
    video(
      'four billion samples in a table',
      patched(movie, copy => copy.writeUInt32BE(0xffffffff, at(copy, 'stts') + 8)),
      // More than there are: what is missing may be all that was meant.
      corrupt,
    ),
    video(
      'a table of four billion entries',
      patched(movie, copy => copy.writeUInt32BE(0xffffffff, at(copy, 'stsz') + 8)),
      corrupt,
    ),
    video(
      'a time scale of zero',
      patched(movie, copy => copy.writeUInt32BE(0, at(copy, 'mdhd') + 12)),
      ['media_frame_rate'],
    ),
    video(
      'a box longer than the file',
      patched(movie, copy => copy.writeUInt32BE(0x7fffffff, moovStart)),
      corrupt,
    ),
    video('an archive behind the movie', Buffer.concat([movie, text('PK\x05\x06'), Buffer.alloc(18)]), ok),
    video('a page behind the movie', Buffer.concat([movie, text('<html><script></script></html>')]), ok),
    video(
      'the brand of a still picture',
      patched(movie, copy => copy.write('heic', 8)),
      unsupported,
    ),
    ...truncations(video, 'MP4', movie, corrupt),
  ]
}

const tooLong = ['media_duration']

/** Twenty showings of the same three seconds, put where one reader of edit lists sees them and another does not. */
function stretched(movie: Buffer): Sample[] {
  const edit = Buffer.concat([u32(3_000), u32(0), u32(65_536)])
  const list = (times: number) => box('elst', Buffer.concat([u32(0), u32(times), ...Array.from({ length: times }, () => edit)]))
  const edits = (times: number) => box('edts', list(times))
  const fragments = box('mvex', box('trex', Buffer.alloc(24)))
  const [moov, trak, edts] = [at(movie, 'moov'), at(movie, 'trak'), at(movie, 'edts')]
  const trakEnd = trak - 8 + movie.readUInt32BE(trak - 8)
  const withEdits = (lists: Buffer, more = Buffer.alloc(0)) => {
    const kept = [movie.subarray(trak, edts - 8), movie.subarray(edts - 8 + movie.readUInt32BE(edts - 8), trakEnd)]
    const track = box('trak', Buffer.concat([...kept, lists]))
    const header = Buffer.concat([movie.subarray(moov, trak - 8), track, movie.subarray(trakEnd), more])
    return Buffer.concat([movie.subarray(0, moov - 8), box('moov', header)])
  }
  return [
    video('an edit list that is true', withEdits(edits(1)), ok),
    video('a repeating edit list', withEdits(edits(20)), tooLong),
    video('a repeating edit list and no fragments behind mvex', withEdits(edits(20), fragments), tooLong),
    video('a repeating edit list behind a true one', withEdits(Buffer.concat([edits(1), edits(20)])), tooLong),
    video('a repeating edit list beside a true one', withEdits(box('edts', Buffer.concat([list(1), list(20)]))), tooLong),
    video('a repeating edit list straight in its track', withEdits(Buffer.concat([edits(1), list(20)])), tooLong),
    video('a repeating edit list in a box of size 0', withEdits(Buffer.concat([u32(0), edits(20).subarray(4)])), tooLong),
  ]
}

/** Replaces the self-contained data reference by one of the same length that leads elsewhere. */
export function externalUrl(movie: Buffer, url: string): Buffer {
  const dref = at(movie, 'dref')
  const reference = box('dref', Buffer.concat([Buffer.alloc(4), u32(1), box('url ', Buffer.concat([u32(0), text(`${url}\0`)]))]))
  const old = movie.readUInt32BE(dref - 8)
  const grown = Buffer.concat([movie.subarray(0, dref - 8), reference, movie.subarray(dref - 8 + old)])
  for (const container of ['moov', 'trak', 'mdia', 'minf', 'dinf']) {
    const offset = at(grown, container) - 8
    grown.writeUInt32BE(grown.readUInt32BE(offset) + reference.length - old, offset)
  }
  return grown
}

const copied = (folder: string, name: string, source: string, options: string[]) => makeMedia(folder, name, ['-i', source, ...options])

async function shapes(folder: string, plain: string): Promise<Sample[]> {
  const file = async (path: Promise<string>) => Bun.file(await path)
  const clip = (name: string, options: string[], inputs: string[] = ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x320:rate=30']) =>
    file(makeMedia(folder, name, [...inputs, ...options]))
  const tone = ['-f', 'lavfi', '-t', '3', '-i', 'sine']
  const subtitle = join(folder, 's.srt')
  await Bun.write(subtitle, '1\n00:00:00,000 --> 00:00:02,000\nhello\n')
  const one = await makeMedia(folder, 'one-huge.mp4', [
    '-f',
    'lavfi',
    '-i',
    'color=size=5760x5760:rate=60',
    '-frames:v',
    '15',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
  ])
  const varying = "select='if(lt(t,1),1,not(mod(n,240)))',setpts=PTS-STARTPTS"
  return [
    video('moov first', await file(copied(folder, 'first.mp4', plain, ['-c', 'copy', '-movflags', '+faststart'])), ok),
    video(
      'fragmented',
      await file(copied(folder, 'fragmented.mp4', plain, ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov+default_base_moof'])),
      ok,
    ),
    video('QuickTime', await file(copied(folder, 'plain.mov', plain, ['-c', 'copy'])), ok),
    video('with sound', await file(makeClip(folder, 'sound.mp4', { sound: true })), ok),
    video(
      'HEVC',
      await clip('hevc.mp4', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1']),
      ok,
    ),
    video('ProRes', await clip('prores.mov', ['-c:v', 'prores_ks', '-profile:v', '0']), ok),
    video('no video stream', await clip('tone.mp4', ['-c:a', 'aac', '-f', 'mp4'], tone), unsupported),
    video(
      'fifty streams',
      await file(copied(folder, 'fifty.mp4', plain, ['-c', 'copy', ...Array.from({ length: 50 }, () => ['-map', '0:v']).flat()])),
      ok,
    ),
    video(
      'ten sound tracks',
      await clip(
        'ten.mp4',
        ['-map', '0:v', ...Array.from({ length: 10 }, () => ['-map', '1:a']).flat(), '-c:v', 'libx264', '-c:a', 'aac'],
        ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x320:rate=30', ...tone],
      ),
      ok,
    ),
    video(
      'subtitles',
      await file(
        makeMedia(folder, 'subtitled.mp4', ['-i', plain, '-i', subtitle, '-map', '0', '-map', '1', '-c:v', 'copy', '-c:s', 'mov_text']),
      ),
      ok,
    ),
    video('Motion JPEG', await clip('mjpeg.mov', ['-c:v', 'mjpeg']), unsupported),
    video('raw pixels', await clip('raw.mov', ['-c:v', 'rawvideo', '-pix_fmt', 'uyvy422', '-s', '256x256']), unsupported),
    video('16 bits a sample in 4:4:4', await clip('deep.mov', ['-c:v', 'png', '-pix_fmt', 'rgb48be', '-s', '256x256']), unsupported),
    video(
      'sixteen reference frames',
      await clip(
        'refs.mp4',
        ['-c:v', 'libx264', '-preset', 'ultrafast', '-refs', '16', '-bf', '0'],
        ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=2048x1536:rate=24'],
      ),
      ok,
    ),
    video(
      'a rate that varies from 1 to 240 and is 31 on average',
      await clip(
        'varying.mp4',
        ['-vf', varying, '-fps_mode', 'vfr', '-c:v', 'libx264', '-preset', 'ultrafast'],
        ['-f', 'lavfi', '-t', '8', '-i', 'testsrc2=size=320x320:rate=240'],
      ),
      ok,
      8,
    ),
    video(
      '15 s of 5,760² at 60 frames a second',
      await file(makeMedia(folder, 'huge.mp4', ['-stream_loop', '59', '-i', one, '-c', 'copy'])),
      ['media_dimensions'],
      15,
    ),
    video(
      'sound that outlasts the picture by ten seconds',
      await clip(
        'outlasts.mp4',
        ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
        ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x320:rate=30', '-f', 'lavfi', '-t', '13', '-i', 'sine'],
      ),
      ok,
    ),
    video('declared as another length', Bun.file(plain), ['media_duration_mismatch'], 5),
  ]
}

export async function movies(folder: string): Promise<Sample[]> {
  const plain = await makeClip(folder, 'plain.mp4', { width: 320, height: 320 })
  const minute = await readFile(await makeClip(folder, 'minute.mp4', { width: 320, height: 320, seconds: 60 }))
  const movie = await readFile(plain)
  return [...lies(minute), ...lyingShort(movie), ...tangled(movie), ...stretched(movie), ...(await shapes(folder, plain))]
}
