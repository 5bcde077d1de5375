import { readFile } from 'node:fs/promises'
import { decode } from './decode'
import type { Copy } from './judge-movie'
import { isThere, runTool } from './run-tool'

const near = (one: number, other: number, off: number) => Math.abs(one - other) <= off + 0.0015

/** What is wrong with the copy of a sound; nothing where it is what the recipe says. */
export async function judgeSound({ path, source, known, media }: Copy): Promise<string[]> {
  const [film, copy, original, strict] = await Promise.all([
    decode(path),
    readFile(path),
    readFile(source),
    readStrictly(path, media.format),
  ])
  const decoded = film.sound
  const faults = [...strict]
  const expect = (holds: boolean, words: string) => void (holds || faults.push(words))
  expect(film.complaint === '', `ffmpeg: ${film.complaint}`)
  expect(near(decoded.seconds, known.seconds, known.frameSeconds), `${decoded.seconds} s decoded, ${known.seconds} s known`)
  expect(near(media.seconds, known.seconds, known.frameSeconds), `${media.seconds} s measured, ${known.seconds} s known`)
  expect(near(media.seconds, decoded.seconds, 0), `${media.seconds} s measured, ${decoded.seconds} s decoded`)
  // Between the sounds of frames an encoder's words are blanked: frames differ, what is played doesn't.
  const isMp3 = media.format === 'mp3'
  const [heardOfCopy, heardOfSource] = isMp3 ? await Promise.all([playMp3(path), playMp3(source)]) : [copy, original]
  const middle = heardOfCopy.subarray(Math.floor(heardOfCopy.length * 0.3), Math.floor(heardOfCopy.length * 0.7))
  expect(middle.length > 0 && heardOfSource.includes(middle), 'the sound is not that of the client’s file')
  const odd = media.format === 'wav' ? oddChunks(copy) : oddTags(copy)
  return [...faults, ...odd]
}

/** Its samples as ffmpeg plays them, past whatever stands beside the frames. */
async function playMp3(path: string): Promise<Buffer> {
  const command = ['ffmpeg', '-nostdin', '-v', 'quiet', '-f', 'mp3', '-i', path, '-f', 's16le', '-']
  const child = Bun.spawn(command, { stdin: 'ignore', stderr: 'ignore' })
  return Buffer.from(await new Response(child.stdout).bytes())
}

async function readStrictly(path: string, format: string): Promise<string[]> {
  if (!isThere('sox') || !isThere('mpg123') || !isThere('mp3val')) return []
  if (format === 'wav') {
    const { code, err } = await runTool(['sox', path, '-n', 'stat'])
    const unfounded = hasExtendedFormat(await readFile(path)) ? /dither|clipped|missing extended part of fmt chunk/ : /dither|clipped/
    const words = err.split('\n').filter(line => /WARN|FAIL/.test(line) && !unfounded.test(line))
    return code === 0 && words.length === 0 ? [] : [`sox: ${words.join(' ') || code}`]
  }
  const [played, checked] = await Promise.all([runTool(['mpg123', '-q', '-t', path]), runTool(['mp3val', path])])
  const warnings = checked.out.split('\n').filter(line => line.startsWith('WARNING') && !line.endsWith('No supported tags in the file'))
  return [
    ...(played.code === 0 && played.err.trim() === '' ? [] : [`mpg123: ${played.err.trim() || played.code}`]),
    ...(warnings.length ? [`mp3val: ${warnings.join(' ').slice(0, 300)}`] : []),
  ]
}

/**
 * Is the extended part of `fmt ` there, whole? sox 14.4.2 reads it, forgets that it did, and misses it in every float WAV of the extensible
 * form, ffmpeg's own too.
 */
const hasExtendedFormat = (file: Buffer) => file.readUInt32LE(16) === 40 && file.readUInt16LE(20) === 0xfffe && file.readUInt16LE(36) === 22

function oddChunks(file: Buffer): string[] {
  const odd: string[] = []
  let at = 12
  while (at + 8 <= file.length) {
    const [type, size] = [file.toString('latin1', at, at + 4), file.readUInt32LE(at + 4)]
    if (!['fmt ', 'data', 'fact'].includes(type)) odd.push(`chunk ${type}`)
    at += 8 + size + (size % 2)
  }
  if (at !== file.length || file.readUInt32LE(4) + 8 !== file.length) odd.push('lengths that are not its own')
  return odd
}

const oddTags = (file: Buffer): string[] => {
  const head = file.toString('latin1', 0, 3)
  const tail = file.subarray(Math.max(0, file.length - 256)).toString('latin1')
  return [
    ...(head === 'ID3' ? ['an ID3 tag'] : []),
    ...['TAG', 'APETAGEX', 'LYRICS200'].filter(tag => tail.includes(tag)).map(tag => `${tag} behind it`),
  ]
}
