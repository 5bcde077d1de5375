import { Elysia } from 'elysia'
import { find, has } from '../behaviour/behaviour'
import { refuse } from '../errors'
import type { Generation } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { cutOff, endless } from './lie'

export type OutputDeps = { store: GenerationStore; outputPath: (id: string) => string; instantClip: () => Promise<string> }

/** Finished videos, for anyone who has the address, as makers hand them out. */
export const outputs = (deps: OutputDeps) =>
  new Elysia({ name: 'outputs', prefix: '/outputs', normalize: false }).get('/:file', async function getOutput({ params }) {
    const id = params.file.endsWith('.mp4') ? params.file.slice(0, -4) : ''
    const generation = deps.store.find(id)
    if (generation?.status !== 'succeeded' || has(generation.behaviours, 'output_404')) throw refuse('not_found')
    const file = Bun.file(has(generation.behaviours, 'instant') ? await deps.instantClip() : deps.outputPath(id))
    return (await lie(generation, file)) ?? new Response(file, { headers: { 'content-type': 'video/mp4' } })
  })

async function lie({ behaviours }: Generation, file: Bun.BunFile): Promise<Response | undefined> {
  const redirect = find(behaviours, 'output_redirect')
  if (redirect) return new Response(null, { status: 302, headers: { location: redirect.to ?? 'http://169.254.169.254/latest/meta-data/' } })
  const wrongType = find(behaviours, 'output_wrong_type')
  if (wrongType)
    return new Response('<!doctype html><title>Not a video</title>', { headers: { 'content-type': wrongType.content_type ?? 'text/html' } })
  const truncated = find(behaviours, 'output_truncated')
  if (truncated) return cutOff(await file.bytes(), truncated.clean ?? false)
  if (has(behaviours, 'output_endless')) return endless(await file.bytes())
  return undefined
}
