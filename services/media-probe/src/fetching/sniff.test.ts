import { expect, test } from 'bun:test'
import { sniff } from './sniff'

test.each([
  ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
  ['wav', 'RIFF\0\0\0\0WAVEfmt '],
  ['mp4', '\0\0\0\x18ftypisom\0\0\0\0'],
  ['mp4', '\0\0\0\x18ftypmp42\0\0\0\0'],
  ['mp4', '\0\0\0\x1cftypXAVC\x01\0\x1f\xffXAVCmp42iso2'],
  ['mp4', '\0\0\0\x18ftypdby1\0\0\0\0isomdby1'],
  ['mp4', '\0\0\0\x18ftyp3gp4\0\0\0\0isom3gp4'],
  ['mov', '\0\0\0\x14ftypqt  \0\0\0\0'],
  ['mov', '\0\0\0\x18ftypniko\0\0\0\0nikoqt  '],
  ['mov', '\0\0\x10\0moov\0\0\0lmvhd'],
  ['mp3', 'ID3\x04\0\0\0\0\0\0'],
  ['mp3', '\xff\xfb\x90\x64'],
  ['mp3', '\xff\xe3\x18\xc4'],
  ['mp3', '\xff\xfb\x00\x64'],
  ['mp3', '\0\0\0ID3\x03\0\0\0\0\0\0'],
  ['mp3', 'APETAGEX\xd0\x07\0\0'],
  ['mp3', `the rest of a frame${`\xff\xfb\x10\x64${'\0'.repeat(100)}`.repeat(4)}`],
  ['wav', 'RF64\xff\xff\xff\xffWAVEds64'],
])('%s is recognised by its first bytes', (format, bytes) => {
  expect(sniff(Buffer.from(bytes, 'latin1')).format).toBe(format as 'jpeg')
})

test.each([
  ['empty', ''],
  ['a GIF picture', 'GIF89a'],
  ['a TIFF or raw picture', 'II*\0'],
  ['a BMP picture', 'BM'],
  ['an HEIC picture', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
  ['an AVIF picture', '\0\0\0\x18ftypavif\0\0\0\0'],
  ['an AVIF picture', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf'],
  ['a raw picture', '\0\0\0\x18ftypcrx \0\0\0\0'],
  ['hls playlist', '#EXTM3U\n#EXTINF:1,\nhttps://10.0.0.1/'],
  ['concat list', 'ffconcat version 1.0\n'],
  ['sdp', 'v=0\r\no=- 0 0'],
  ['matroska or webm', '\x1a\x45\xdf\xa3\x01'],
  ['mpeg-ts', 'G@\x11\x10'],
  ['an HEIC picture', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['an M4A sound', '\0\0\0\x18ftypM4A \0\0\0\0mp42isom'],
  ['iso media jp2', '\0\0\0\x14ftypjp2 \0\0\0\0jp2 isom'],
  ['markup or text', '<?xml version="1.0"?><MPD/>'],
  ['avi', 'RIFF\0\0\0\0AVI LIST'],
  ['aac', '\xff\xf1\x50\x80'],
  ['unknown', '\xff\xfb\xf0\x64'],
  ['unknown', 'hello'],
])('%s is an unsupported format', (name, bytes) => {
  expect(sniff(Buffer.from(bytes, 'latin1'))).toEqual({ format: undefined, name })
})
