import { makeClip, makeMedia, makePicture, makeTone } from '../support/make-media'
import { audio, image, type Sample, text, unsupported, video } from './sample'

const leak = 'https://10.96.0.1/leak'

/** Playlists, scripts and documents that pass for media with a lenient reader. */
const playlists: Record<string, string> = {
  'an HLS playlist': `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\n${leak}.ts\n#EXTINF:3,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
  'an HLS playlist with a key': `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${leak}.key"\n#EXTINF:3,\n${leak}.ts\n`,
  'a DASH manifest': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><BaseURL>${leak}</BaseURL><Period><AdaptationSet><Representation><SegmentList><SegmentURL media="${leak}.m4s"/></SegmentList></Representation></AdaptationSet></Period></MPD>`,
  'a concat list': `ffconcat version 1.0\nfile '${leak}.mp4'\nfile '/etc/passwd'\n`,
  'an SDP description':
    'v=0\r\no=- 0 0 IN IP4 10.96.0.1\r\ns=x\r\nc=IN IP4 10.96.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n',
  'an RTSP address': 'rtsp://10.96.0.1/live\n',
  'an SMIL file': `<smil><body><video src="${leak}"/></body></smil>`,
  'an MVG script': `push graphic-context\nviewbox 0 0 640 480\nfill 'url(${leak}.jpg"|ls "-la)'\npop graphic-context\n`,
  'an MSL script': `<?xml version="1.0"?><image><read filename="${leak}.png"/><write filename="/tmp/x.png"/></image>`,
  'an EPS file': '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 640 480\n(/etc/passwd) (r) file\n',
  'an SVG': `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><image href="${leak}.png"/></svg>`,
  'an SVG with an entity':
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
  'an HTML page': `<!doctype html><script src="${leak}.js"></script>`,
  'a share page': `<!DOCTYPE html><html><head><script>${'x();'.repeat(9_000)}</script><title>Dropbox - a.mp4</title></head></html>`,
  'an error of S3': '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  'a JSON file': '{"url":"https://10.96.0.1/"}',
  'an ASX playlist': `<asx version="3.0"><entry><ref href="${leak}"/></entry></asx>`,
  'a subtitle file': '1\n00:00:00,000 --> 00:00:03,000\nhello\n',
  'a PHAR stub': '<?php __HALT_COMPILER(); ?>',
  'a shell script': '#!/bin/sh\ncurl https://10.96.0.1/\n',
}

/** Real files of formats that no card allows, and heads of those that ffmpeg does not write. */
async function foreignFiles(folder: string): Promise<Sample[]> {
  const picture = (name: string, ...options: string[]) =>
    makeMedia(folder, name, ['-f', 'lavfi', '-i', 'testsrc2=size=320x320', '-frames:v', '1', ...options])
  const clip = (name: string, ...options: string[]) =>
    makeMedia(folder, name, ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x320:rate=30', ...options])
  const tone = (name: string, ...options: string[]) => makeMedia(folder, name, ['-f', 'lavfi', '-t', '3', '-i', 'sine', ...options])
  const box = (brand: string) => Buffer.concat([Buffer.from([0, 0, 0, 24]), text(`ftyp${brand}\0\0\0\0${brand}mif1`), Buffer.alloc(4096)])
  const file = async (path: Promise<string>) => Bun.file(await path)
  return [
    image('GIF', await file(picture('x.gif')), unsupported),
    image('TIFF', await file(picture('x.tiff')), unsupported),
    image('BMP', await file(picture('x.bmp')), unsupported),
    image('EXR', await file(picture('x.exr', '-pix_fmt', 'gbrpf32le')), unsupported),
    image('TGA', await file(picture('x.tga')), unsupported),
    image('JPEG 2000', await file(picture('x.jp2')), unsupported),
    ...['avif', 'avis', 'heic', 'heix', 'mif1', 'crx '].map(brand => image(`${brand} box file`, box(brand), unsupported)),
    image('PSD', Buffer.concat([text('8BPS\0\x01'), Buffer.alloc(4096)]), unsupported),
    video('MKV', await file(clip('x.mkv')), unsupported),
    video('WebM', await file(clip('x.webm', '-c:v', 'libvpx', '-deadline', 'realtime')), unsupported),
    video('AVI', await file(clip('x.avi')), unsupported),
    video('FLV', await file(clip('x.flv')), unsupported),
    video('MPEG-TS', await file(clip('x.ts')), unsupported),
    video('3GP', await file(clip('x.3gp', '-s', '352x288')), unsupported),
    video('M4A', await file(tone('x.m4a')), unsupported),
    video('GIF as a video', await file(clip('y.gif')), unsupported),
    audio('FLAC', await file(tone('x.flac')), unsupported),
    audio('OGG', await file(tone('x.ogg')), unsupported),
    audio('AAC', await file(tone('x.aac')), unsupported),
    audio('AIFF', await file(tone('x.aiff')), unsupported),
    audio('MP2', await file(tone('x.mp2')), unsupported),
    audio('ADPCM in a WAV', await file(tone('adpcm.wav', '-c:a', 'adpcm_ms')), unsupported),
  ]
}

/** One kind given as another. */
async function swaps(folder: string): Promise<Sample[]> {
  const [picture, clip, tone] = await Promise.all([
    makePicture(folder, 'swap.jpg', 320, 320),
    makeClip(folder, 'swap.mp4'),
    makeTone(folder, 'swap.mp3', 3),
  ])
  return [
    image('a clip as an image', Bun.file(clip), unsupported),
    image('a tone as an image', Bun.file(tone), unsupported),
    video('a picture as a video', Bun.file(picture), unsupported),
    video('a tone as a video', Bun.file(tone), unsupported),
    audio('a clip as audio', Bun.file(clip), unsupported),
    audio('a picture as audio', Bun.file(picture), unsupported),
  ]
}

export async function disguises(folder: string): Promise<Sample[]> {
  const listed = Object.entries(playlists)
  return [
    ...listed.flatMap(([name, words]) => [
      image(`${name} as an image`, text(words), unsupported),
      video(`${name} as a video`, text(words), unsupported),
      audio(`${name} as audio`, text(words), unsupported),
    ]),
    ...(await foreignFiles(folder)),
    ...(await swaps(folder)),
    image('nothing', new Uint8Array(), ['media_corrupt']),
    video('one byte', text('A'), unsupported),
    audio('one kilobyte of zeros', new Uint8Array(1024), unsupported),
    video(
      'a playlist behind an ftyp box',
      Buffer.concat([Buffer.from([0, 0, 0, 16]), text('ftypisom\0\0\0\0'), text(playlists['an HLS playlist'] ?? '')]),
      ['media_corrupt'],
    ),
    video(
      'random bytes behind an ftyp box',
      Buffer.concat([Buffer.from([0, 0, 0, 16]), text('ftypisom\0\0\0\0'), Buffer.alloc(100_000, 'x7Kq')]),
      ['media_corrupt'],
    ),
    audio('a playlist behind an ID3 tag', Buffer.concat([text('ID3\x03\0\0\0\0\0\0'), text(playlists['an HLS playlist'] ?? '')]), [
      'media_corrupt',
    ]),
  ]
}
