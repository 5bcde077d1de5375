import { Elysia } from 'elysia'
import { find, has } from '../behaviour/behaviour'
import { refuse } from '../errors'
import type { Generation } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import type { Reads } from '../generation/read'
import { clipOf } from '../render/delivered'
import type { InstantClip } from '../render/instant-clip'
import { another, cutOff, endless, lengthened, stalled } from './faulty-output'

export type OutputDeps = { store: GenerationStore; reads: Reads; outputPath: (id: string) => string; instantClip: InstantClip }

/** Finished videos, for anyone who has the address, as providers hand them out. */
export const outputs = (deps: OutputDeps) =>
  new Elysia({ name: 'outputs', prefix: '/outputs', normalize: false }).get('/:file', async function getOutput({ params, query }) {
    const id = params.file.endsWith('.mp4') ? params.file.slice(0, -4) : ''
    return outputAnswer(deps, deps.store.find(id), Number(query.given ?? 0))
  })

/** The video of a generation, or what is to be met in its place. `given`: the address is the one that was told then; where it says nothing of that, the last. */
export async function outputAnswer(deps: OutputDeps, generation: Generation | undefined, given = 0): Promise<Response> {
  if (generation?.status !== 'succeeded' || has(generation.behaviours, 'output_404')) throw refuse('not_found')
  const expired = find(generation.behaviours, 'output_expired')
  // As a store answers whose signature is too old.
  if (expired && (given || deps.reads.count(generation, 'address')) <= (expired.times ?? 1)) return new Response(null, { status: 403 })
  const broken = find(generation.behaviours, 'output_status')
  if (broken && deps.reads.next(generation, 'output') <= (broken.times ?? 1_000_000)) return new Response(null, { status: broken.status })
  const path = has(generation.behaviours, 'instant') ? await deps.instantClip(clipOf(generation)) : deps.outputPath(generation.id)
  const large = find(generation.behaviours, 'output_large')
  const file = Bun.file(large ? await lengthened(path, large.bytes) : path)
  return (await faultyAnswer(deps, generation, file)) ?? new Response(file, { headers: { 'content-type': 'video/mp4' } })
}

async function faultyAnswer({ reads }: OutputDeps, generation: Generation, file: Bun.BunFile): Promise<Response | undefined> {
  const { behaviours } = generation
  if (has(behaviours, 'output_empty')) return new Response('', { headers: { 'content-type': 'video/mp4' } })
  const redirect = find(behaviours, 'output_redirect')
  if (redirect) return new Response(null, { status: 302, headers: { location: redirect.to ?? 'http://169.254.169.254/latest/meta-data/' } })
  const wrongType = find(behaviours, 'output_wrong_type')
  if (wrongType) return another(wrongType.is ?? 'page', wrongType.content_type)
  if (has(behaviours, 'output_stalls')) return stalled(await file.bytes())
  const truncated = find(behaviours, 'output_truncated')
  if (truncated && reads.next(generation, 'output') <= (truncated.times ?? 1_000_000))
    return cutOff(await file.bytes(), truncated.clean ?? false, truncated.within)
  if (has(behaviours, 'output_endless')) return endless(await file.bytes())
  return undefined
}
