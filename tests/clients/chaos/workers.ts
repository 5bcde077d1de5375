import { join } from 'node:path'
import type { VideoGenerationRequest } from '@filmgate/client'
import { pythonWithClient } from '../python'

/** `id` is the idempotency key; `url` the API's, or a line's before it. */
export type Job = { id: string; url: string; request: VideoGenerationRequest; saveTo: string }
export type Made = { id: string; taskId?: string; error?: string }
export type Worker = { make(job: Job): Promise<Made>; kill(): Promise<void>; stop(): Promise<void> }
export type Language = 'TypeScript' | 'Python'

/** A process of a client. A killed one answers no job more. */
export async function startWorker(language: Language, apiKey: string): Promise<Worker> {
  const { command, env } = await program(language)
  const child = Bun.spawn(command, {
    env: { PATH: process.env.PATH ?? '', ...env, FILMGATE_API_KEY: apiKey },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  return {
    async make(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`)
      child.stdin.flush()
      const { value } = await lines.next()
      return value === undefined ? { id: job.id, error: 'the program ended' } : (JSON.parse(value) as Made)
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async stop() {
      child.stdin.end()
      await child.exited
    },
  }
}

async function program(language: Language): Promise<{ command: string[]; env: Record<string, string> }> {
  if (language === 'TypeScript') return { command: [process.execPath, join(import.meta.dir, 'make.ts')], env: {} }
  const { python, env } = await pythonWithClient()
  return { command: [python, join(import.meta.dir, 'make.py')], env }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let held = ''
  for await (const chunk of stream) {
    held += decoder.decode(chunk, { stream: true })
    const lines = held.split('\n')
    held = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}
