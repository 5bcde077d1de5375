import { readFile } from 'node:fs/promises'
import { type KindLimits, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { audio, image, ok, type Sample, video } from '../hostile/sample'
import { makeClip, makeMedia, makePicture, makeTone } from '../support/make-media'
import { padMovie, padPng, padWav } from './padding'

const dimensions = ['media_dimensions']
const tooLarge = ['media_too_large']

/** Exactly so long: half a hundred frames a second, give or take what makes the last one end on the hundredth. */
async function clipOf(folder: string, hundredths: number): Promise<Buffer> {
  const frames = Math.round(hundredths / 2)
  const rate = `${frames * 100}/${hundredths}`
  return readFile(
    await makeClip(folder, `${hundredths}.mp4`, {
      width: 256,
      height: 256,
      seconds: hundredths / 100 + 0.001,
      rate,
      options: ['-frames:v', String(frames), '-video_track_timescale', '90000'],
    }),
  )
}

async function picturesAt(
  folder: string,
  { widthMin, widthMax, heightMin, heightMax, ratioMin, ratioMax, bytesMax }: KindLimits,
): Promise<Sample[]> {
  const at = async (width: number, height: number, codes: string[], type = 'png') =>
    image(`${type} of ${width} × ${height}`, Bun.file(await makePicture(folder, `${width}x${height}.${type}`, width, height)), codes)
  const png = await readFile(await makePicture(folder, 'pad.png', 256, 256))
  const [side, bytes] = [1000, Number(bytesMax)]
  return [
    ...(await Promise.all(
      ['png', 'jpg', 'webp'].flatMap(type => [
        at(widthMin, heightMin, ok, type),
        at(widthMin - 1, heightMin, dimensions, type),
        at(widthMin, heightMin - 1, dimensions, type),
      ]),
    )),
    await at(widthMax, heightMax / 2.5, ok),
    await at(widthMax + 1, heightMax / 2, dimensions),
    await at(widthMax / 2.5, heightMax, ok),
    await at(widthMax / 2, heightMax + 1, dimensions),
    await at(widthMax, heightMax, ok, 'jpg'),
    await at(side * ratioMax, side, ok),
    await at(side * ratioMax + 10, side, dimensions),
    await at(side * ratioMin, side, ok),
    await at(side * ratioMin - 10, side, dimensions),
    image(`${bytes} bytes`, padPng(png, bytes), ok),
    image(`${bytes} bytes and one more`, padPng(png, bytes + 1), tooLarge),
  ]
}

async function clipsAt(folder: string, { widthMin, widthMax, heightMin, heightMax, bytesMax }: KindLimits): Promise<Sample[]> {
  const sized = async (width: number, height: number, codes: string[], name = '', options: string[] = []) => {
    const path = await makeClip(folder, `${width}x${height}${name}.mp4`, {
      width,
      height,
      seconds: 3,
      rate: '24',
      options: ['-pix_fmt', 'yuv444p', ...options],
    })
    return video(`${width} × ${height}${name}`, Bun.file(path), codes)
  }
  const rated = async (rate: string, codes: string[]) =>
    video(
      `${rate} frames a second`,
      Bun.file(
        await makeClip(folder, `r${rate.replace('/', '_')}.mp4`, {
          width: 256,
          height: 256,
          seconds: 3,
          rate,
          options: ['-video_track_timescale', '120000'],
        }),
      ),
      codes,
      3,
    )
  const turned = async (width: number, height: number, codes: string[]) => {
    const upright = await makeClip(folder, `upright${width}.mp4`, {
      width,
      height,
      seconds: 3,
      rate: '24',
      options: ['-pix_fmt', 'yuv444p'],
    })
    return video(
      `${width} × ${height} turned by 90°`,
      Bun.file(await makeMedia(folder, `turned${width}.mp4`, ['-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90'])),
      codes,
    )
  }
  const movie = await readFile(await makeClip(folder, 'pad.mp4', { width: 256, height: 256 }))
  const bytes = Number(bytesMax)
  return [
    await sized(widthMin, heightMin, ok),
    await sized(widthMin - 1, heightMin, dimensions),
    await sized(widthMin, heightMin - 1, dimensions),
    await sized(widthMax, heightMax / 2.5, ok, ' widest', ['-preset', 'ultrafast', '-crf', '40']),
    await sized(widthMax, heightMax, ok, ' largest', ['-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-crf', '40']),
    await sized(widthMax + 1, heightMax / 2.5, dimensions),
    await sized(widthMax / 2.5, heightMax + 1, dimensions),
    await sized(1000, 400, ok),
    await sized(1004, 400, dimensions),
    await sized(400, 1000, ok),
    await sized(390, 1000, dimensions),
    await turned(1000, 400, ok),
    await turned(1004, 400, dimensions),
    await sized(640, 360, ok, ' seen as 2.50', ['-vf', 'setsar=90000/64000']),
    await sized(640, 360, dimensions, ' seen as 2.51', ['-vf', 'setsar=90360/64000']),
    await sized(640, 360, dimensions, ' seen as 0.39', ['-vf', 'setsar=14040/64000']),
    ...(await Promise.all(['24000/1001', '24', '25', '30000/1001', '50', '60000/1001', '60', '603/10'].map(rate => rated(rate, ok)))),
    ...(await Promise.all(['239/10', '23', '15', '604/10', '61', '120'].map(rate => rated(rate, ['media_frame_rate'])))),
    video(`${bytes} bytes`, padMovie(movie, bytes), ok),
    video(`${bytes} bytes and one more`, padMovie(movie, bytes + 1), tooLarge),
  ]
}

/** Both ends of the length, to the hundredth, and what may be declared of it. */
export async function lengthsAt(folder: string, { kind, secondsMin, secondsMax }: KindLimits): Promise<Sample[]> {
  const cases: [hundredths: number, codes: string[]][] = [
    [secondsMin * 100 - 1, ['media_duration']],
    [secondsMin * 100, ok],
    [secondsMax * 100, ok],
    [secondsMax * 100 + 1, ['media_duration']],
  ]
  const made: Sample[] = []
  for (const [hundredths, codes] of cases) {
    const declared = Math.ceil(hundredths / 100)
    if (kind === MediaKind.VIDEO) made.push(video(`${hundredths / 100} s`, await clipOf(folder, hundredths), codes, declared))
    else
      for (const type of ['mp3', 'wav'])
        made.push(
          audio(
            `${type} of ${hundredths / 100} s`,
            Bun.file(await makeTone(folder, `${hundredths}.${type}`, hundredths / 100)),
            codes,
            declared,
          ),
        )
  }
  return made
}

/** Declared is the length rounded up, one frame more or less. */
async function declarations(folder: string): Promise<Sample[]> {
  const frame = await readFile(
    await makeClip(folder, 'frame.mp4', { width: 256, height: 256, seconds: 5.0333, options: ['-frames:v', '151'] }),
  )
  const clip = await clipOf(folder, 450)
  const mismatch = ['media_duration_mismatch']
  return [
    video('5 s and a frame, declared 5', frame, ok, 5),
    video('5 s and a frame, declared 6', frame, ok, 6),
    video('5 s and a frame, declared 4', frame, mismatch, 4),
    video('4.5 s, declared 5', clip, ok, 5),
    video('4.5 s, declared 4', clip, mismatch, 4),
    video('4.5 s, declared 6', clip, mismatch, 6),
  ]
}

async function soundsAt(folder: string, { bytesMax }: KindLimits): Promise<Sample[]> {
  const wav = await readFile(await makeTone(folder, 'pad.wav', 3))
  const bytes = Number(bytesMax)
  return [audio(`${bytes} bytes`, padWav(wav, bytes), ok), audio(`${bytes} bytes and two more`, padWav(wav, bytes + 2), tooLarge)]
}

/** Every limit of one kind but its lengths. */
export async function edgesOf(folder: string, limits: KindLimits): Promise<Sample[]> {
  if (limits.kind === MediaKind.IMAGE) return picturesAt(folder, limits)
  if (limits.kind === MediaKind.VIDEO) return [...(await clipsAt(folder, limits)), ...(await declarations(folder))]
  return soundsAt(folder, limits)
}
