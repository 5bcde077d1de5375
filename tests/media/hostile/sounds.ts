import { readFile } from 'node:fs/promises'
import { makeTone } from '../support/make-media'
import { audio, corrupt, ok, type Sample, text, truncations, unsupported } from './sample'

const patched = (source: Buffer, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(source)
  change(copy)
  return copy
}

function twoFormats(wav: Buffer): Buffer {
  const doubled = Buffer.concat([wav.subarray(0, 36), wav.subarray(12, 36), wav.subarray(36)])
  doubled.writeUInt32LE(doubled.length - 8, 4)
  return doubled
}

/** The header that names its real format further in. */
function extensible(wav: Buffer, code: number): Buffer {
  const more = Buffer.from('16001000040000000000000000001000800000aa00389b71', 'hex')
  more.writeUInt16LE(code, 8)
  const format = Buffer.concat([wav.subarray(12, 36), more])
  format.writeUInt32LE(40, 4)
  format.writeUInt16LE(0xfffe, 8)
  const file = Buffer.concat([wav.subarray(0, 12), format, wav.subarray(wav.indexOf('data'))])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}

function wavs(wav: Buffer): Sample[] {
  const [format, data] = [wav.indexOf('fmt '), wav.indexOf('data')]
  return [
    audio('WAV', wav, ok),
    audio(
      'WAV with data of size 0',
      patched(wav, copy => copy.writeUInt32LE(0, data + 4)),
      ok,
    ),
    audio(
      'WAV with data of size 0xFFFFFFFF',
      patched(wav, copy => copy.writeUInt32LE(0xffffffff, data + 4)),
      ok,
    ),
    audio(
      'WAV that says 0xFFFFFFFF of itself',
      patched(wav, copy => copy.writeUInt32LE(0xffffffff, 4)),
      ok,
    ),
    audio(
      'RF64',
      patched(wav, copy => copy.write('RF64', 0)),
      unsupported,
    ),
    audio(
      'WAV without channels',
      patched(wav, copy => copy.writeUInt16LE(0, format + 10)),
      corrupt,
    ),
    audio(
      'WAV of 65,535 channels',
      patched(wav, copy => copy.writeUInt16LE(0xffff, format + 10)),
      corrupt,
    ),
    audio(
      'WAV of 1 Hz',
      patched(wav, copy => copy.writeUInt32LE(1, format + 12)),
      corrupt,
    ),
    audio(
      'WAV of 4 GHz',
      patched(wav, copy => copy.writeUInt32LE(0xffffffff, format + 12)),
      corrupt,
    ),
    ...[
      ['MP3', 0x55],
      ['A-law', 6],
      ['ADPCM', 2],
    ].map(([name, code]) =>
      audio(`WAV that is ${name} behind an extensible header`, extensible(wav, Number(code)), [...unsupported, ...corrupt]),
    ),
    audio('WAV with two formats', twoFormats(wav), corrupt),
    audio('WAV and an archive', Buffer.concat([wav, text('PK\x05\x06'), Buffer.alloc(18)]), ok),
    audio('WAV declared as another length', wav, ['media_duration_mismatch'], 7),
    ...truncations(audio, 'WAV', wav, corrupt),
  ]
}

function mp3s(mp3: Buffer, otherRate: Buffer): Sample[] {
  const xing = Math.max(mp3.indexOf('Xing'), mp3.indexOf('Info'))
  const start = mp3.indexOf(Buffer.from([0xff, 0xfb]))
  const tag = (size: number[]) => Buffer.concat([text('ID3\x04\0\0'), Buffer.from(size), mp3.subarray(start)])
  const vbri = patched(mp3, copy => {
    copy.fill(0, xing, xing + 120)
    copy.write('VBRI', start + 36)
    copy.writeUInt32BE(100_000, start + 50)
  })
  return [
    audio('MP3', mp3, ok),
    audio(
      'MP3 whose Xing header counts 100,000 frames',
      patched(mp3, copy => copy.writeUInt32BE(100_000, xing + 8)),
      ok,
    ),
    audio(
      'MP3 whose Xing header counts 10 frames',
      patched(mp3, copy => copy.writeUInt32BE(10, xing + 8)),
      ok,
    ),
    audio('MP3 whose VBRI header lies', vbri, ok),
    audio('MP3 with a tag of 256 MiB', tag([0x7f, 0x7f, 0x7f, 0x7f]), corrupt),
    audio('MP3 that changes its sample rate', Buffer.concat([mp3, otherRate]), corrupt),
    audio(
      'MP3 twice over, with a header between that says another rate',
      Buffer.concat([mp3, patched(mp3.subarray(start), copy => copy.writeUInt8((copy[2] ?? 0) | 4, 2))]),
      ['media_duration_mismatch'],
    ),
    audio('MP3 with a page behind it', Buffer.concat([mp3, text('<html></html>')]), ok),
    audio('MP3 twice over: sixty seconds under a short header', Buffer.concat(Array.from({ length: 20 }, () => mp3)), ['media_duration']),
    ...truncations(audio, 'MP3', mp3, corrupt),
  ]
}

export async function sounds(folder: string): Promise<Sample[]> {
  const made = async (name: string) => readFile(await makeTone(folder, name, 3))
  const otherRate = await readFile(await makeTone(folder, 'other.mp3', 3, ['-ar', '48000']))
  return [...wavs(await made('x.wav')), ...mp3s(await made('x.mp3'), otherRate)]
}
