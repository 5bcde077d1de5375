import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReadiness, startServer } from '@filmgate/kit/http/server'
import { createLog } from '@filmgate/kit/telemetry/log'
import { createApp } from '../app'
import { readConfig } from '../config'
import type { GenerationRequest } from '../generation/generation'
import { createProvider } from '../provider/create-provider'
import { startWorkers } from '../workers'
import { testClient, testKey } from './client'

/** A real simulator on a free port over a folder of its own, and a client of it. For this service's tests. */
export async function startTestSimulator(dataDir = mkdtempSync(join(tmpdir(), 'filmgate-simulator-'))) {
  const log = createLog({ service: 'simulator', level: 'silent' })
  const config = readConfig({ PORT: '0', SIMULATOR_KEY: testKey, SIMULATOR_DATA_DIR: dataDir, FILMGATE_DEVELOPMENT: '1' })
  const provider = createProvider(config, log)
  const workers = startWorkers({ ...provider, log })
  const readiness = createReadiness({ ffmpeg: provider.renders })
  const app = createApp({ ...provider.routeDeps, key: config.key, publicUrl: config.publicUrl, log, readiness })
  const server = startServer({ app, port: 0, log, readiness })
  return {
    ...testClient(`http://127.0.0.1:${server.port}`),
    readiness,
    async stop() {
      await server.drain(0)
      await workers.stop()
      await provider.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A small text-to-video request of its own id, cheap to render. */
export function testRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    client_task_id: `att_${crypto.randomUUID()}`,
    model: 'alpha-h3',
    mode: 'text-to-video',
    prompt: `a test ${crypto.randomUUID()}`,
    duration_seconds: 1,
    resolution: '360p',
    aspect_ratio: '16:9',
    ...changes,
  }
}
