import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { invariant } from '@filmgate/kit/failure'
import { frameSize } from '../generation/frame-size'
import type { Generation, GenerationRequest } from '../generation/generation'
import { compose } from './compose'
import type { Inputs } from './composition'
import { delivered } from './delivered'
import { fetchInput } from './fetch-input'
import { type FfmpegDeps, measureSize, runFfmpeg } from './ffmpeg'
import { tracksOf } from './tracks'

export type RenderDeps = FfmpegDeps & { scratchDir: string; outputPath: (id: string) => string; fontPath: string }

/** Characters of a prompt that are drawn; the rest would be off the frame before it could be read. */
const promptDrawnMax = 300

/** Makes the video of a generation and puts it, whole, where outputs are served from. */
export async function render(deps: RenderDeps, generation: Generation, signal: AbortSignal): Promise<void> {
  const request = delivered(generation)
  const tracks = tracksOf(generation.behaviours)
  await mkdir(deps.scratchDir, { recursive: true })
  const folder = await mkdtemp(join(deps.scratchDir, 'render-'))
  try {
    const inputs = await fetchInputs(request, folder, signal)
    await copyFile(deps.fontPath, join(folder, 'font.woff'))
    await Bun.write(join(folder, 'prompt.txt'), Array.from(request.prompt.replace(/\s+/g, ' ')).slice(0, promptDrawnMax).join(''))
    const basis = inputs.firstFrame ?? inputs.lastFrame ?? inputs.videos[0] ?? inputs.images[0]
    const given = basis && request.aspect_ratio === 'adaptive' ? await measureSize(deps, basis, folder) : undefined
    const size = frameSize(request.resolution, request.aspect_ratio, given)
    invariant(size, 'a size was checked when the request was taken')
    await runFfmpeg(
      deps,
      compose({ request, size, inputs, font: 'font.woff', promptFile: 'prompt.txt', output: 'output.mp4', tracks }),
      folder,
      signal,
    )
    const path = deps.outputPath(generation.id)
    await rename(join(folder, 'output.mp4'), path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fetchInputs(request: GenerationRequest, folder: string, signal: AbortSignal): Promise<Inputs> {
  let count = 0
  const one = async (address: string) => basename(await fetchInput(address, join(folder, `input-${count++}`), signal))
  const many = (addresses: string[] = []) => Promise.all(addresses.map(one))
  const [firstFrame, lastFrame, images, videos, audios] = await Promise.all([
    request.first_frame_url ? one(request.first_frame_url) : undefined,
    request.last_frame_url ? one(request.last_frame_url) : undefined,
    many(request.reference_images),
    many(request.reference_videos),
    many(request.reference_audios),
  ])
  return { firstFrame, lastFrame, images, videos, audios }
}
