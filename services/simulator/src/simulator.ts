import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@filmgate/kit/log'
import { createReadiness } from '@filmgate/kit/server'
import { createApp } from './app'
import { notify } from './callback/notify'
import type { Config } from './config'
import { openGenerationStore } from './generation/generation-store'
import { createProgress } from './generation/progress'
import { countReads } from './generation/read'
import { createView } from './generation/view'
import { sweep } from './output/sweep'
import { instantClip } from './render/instant-clip'
import { render } from './render/render'

/** How often finished generations past their retention are looked for. */
const sweepEveryMs = 600_000

/** Makes a whole simulator over its folder: what it accepted before is rendered on, what lies half-done is thrown away. */
export function createSimulator(config: Config, log: Log) {
  const dataDir = resolve(config.dataDir)
  const outputDir = join(dataDir, 'outputs')
  const scratchDir = join(dataDir, 'scratch')
  rmSync(scratchDir, { recursive: true, force: true })
  mkdirSync(outputDir, { recursive: true })
  const outputPath = (id: string) => join(outputDir, `${id}.mp4`)
  const fontPath = fileURLToPath(import.meta.resolve('@fontsource/share-tech-mono/files/share-tech-mono-latin-400-normal.woff'))

  const now = () => Date.now()
  const newId = () => `sim_${crypto.randomUUID().replaceAll('-', '')}`
  const store = openGenerationStore({ journalPath: join(dataDir, 'journal.jsonl'), now, retentionMs: config.retentionHours * 3_600_000 })
  const renderDeps = { ffmpeg: config.ffmpeg, ffprobe: config.ffprobe, scratchDir, outputPath, fontPath }
  const progress = createProgress({
    store,
    render: (generation, signal) => render(renderDeps, generation, signal),
    notify: generation => void notify({ log }, generation),
    rendersMax: config.rendersMax,
    log,
  })
  for (const generation of store.unfinished()) progress.start(generation)
  const sweeper = setInterval(() => sweep({ store, outputDir, log }), sweepEveryMs)
  sweep({ store, outputDir, log })

  const clip = instantClip(renderDeps)
  let renders = false
  // The first clip is also the proof that ffmpeg is there.
  clip().then(
    () => {
      renders = true
    },
    error => log.error({ err: error }, 'ffmpeg does not work; set SIMULATOR_FFMPEG'),
  )
  const readiness = createReadiness({ ffmpeg: () => renders })
  const app = createApp({
    store,
    progress,
    now,
    newId,
    reads: countReads(),
    view: createView(now),
    start: progress.start,
    key: config.key,
    publicUrl: config.publicUrl,
    outputPath,
    instantClip: clip,
    log,
    readiness,
  })
  return {
    app,
    readiness,
    waitingRenders: progress.waiting,
    async stop() {
      clearInterval(sweeper)
      await progress.stop()
      store.close()
    },
  }
}
