import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@filmgate/kit/telemetry/log'
import { notify } from '../callback/notify'
import { openCallbackKey } from '../fal/sign-callback'
import { openFalStorage } from '../fal/storage'
import { openGenerationStore } from '../generation/generation-store'
import { createProgress } from '../generation/progress'
import { countReads } from '../generation/read'
import { createView } from '../generation/view'
import { openImages } from '../pixverse/images'
import { instantClip } from '../render/instant-clip'
import { render } from '../render/render'
import { tracksOf } from '../render/tracks'

export type ProviderSettings = { dataDir: string; ffmpeg: string; ffprobe: string; rendersMax: number; retentionHours: number }

/** A provider over its folder: what it accepted before is rendered on, what lies half-done is thrown away. */
export function createProvider({ ffmpeg, ffprobe, rendersMax, retentionHours, ...settings }: ProviderSettings, log: Log) {
  const dataDir = resolve(settings.dataDir)
  const outputDir = join(dataDir, 'outputs')
  const scratchDir = join(dataDir, 'scratch')
  rmSync(scratchDir, { recursive: true, force: true })
  mkdirSync(outputDir, { recursive: true })
  const outputPath = (id: string) => join(outputDir, `${id}.mp4`)
  const fontPath = fileURLToPath(import.meta.resolve('@fontsource/share-tech-mono/files/share-tech-mono-latin-400-normal.woff'))

  const now = () => Date.now()
  const newId = () => `sim_${crypto.randomUUID().replaceAll('-', '')}`
  const store = openGenerationStore({ journalPath: join(dataDir, 'journal.jsonl'), now, retentionMs: retentionHours * 3_600_000 })
  const storage = openFalStorage({ dir: join(dataDir, 'fal-files'), now, keptMsMax: retentionHours * 3_600_000 })
  const images = openImages({ dir: join(dataDir, 'pixverse-images'), now, keptMsMax: retentionHours * 3_600_000 })
  const renderDeps = { ffmpeg, ffprobe, scratchDir, outputPath, fontPath }
  const { signCallback, keySet } = openCallbackKey(join(dataDir, 'fal-callbacks.pem'), now)
  const progress = createProgress({
    store,
    render: (generation, signal) => render(renderDeps, generation, signal),
    notify: generation => void notify({ log, signCallback }, generation),
    rendersMax,
    log,
  })
  for (const generation of store.unfinished()) progress.start(generation)

  const clip = instantClip(renderDeps)
  let renders = false
  const missing = [ffmpeg, ffprobe].filter(name => !Bun.which(name))
  if (missing.length > 0) log.error({ missing }, 'programs are missing: install ffmpeg, or set SIMULATOR_FFMPEG and SIMULATOR_FFPROBE')
  // The first clip is also the proof that ffmpeg works.
  clip({ seconds: 1, size: { width: 128, height: 72 }, sound: false, tracks: tracksOf([]) }).then(
    () => {
      renders = missing.length === 0
    },
    error => log.error({ err: error }, 'ffmpeg does not work; set SIMULATOR_FFMPEG'),
  )
  return {
    store,
    storage,
    images,
    outputDir,
    /** What the routes need of it. */
    routeDeps: {
      store,
      progress,
      now,
      newId,
      reads: countReads(),
      view: createView(now),
      start: progress.start,
      outputPath,
      instantClip: clip,
      keySet,
      storage,
      images,
    },
    /** Whether ffmpeg has shown that it works, and ffprobe is there. */
    renders: () => renders,
    waitingRenders: progress.waiting,
    async stop() {
      await progress.stop()
      store.close()
    },
  }
}
