import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { MediaHost } from '../support/media-host'
import type { MediaTopics, Outcome } from '../support/media-topics'
import { orderOf } from '../support/orders'
import type { Probe } from '../support/probe-process'
import type { Copy } from './judge/judge-movie'
import type { Recipe } from './recipe'

/** One recipe's file, what was decided of it, and where its stored copy lies if there is one. */
export type Decided<One extends Recipe = Recipe> = { recipe: One; outcome: Outcome; seconds: number; copy?: Copy }

export type Deps = { host: MediaHost; topics: MediaTopics; probe: Probe; folder: string }

const decisionMs = 240_000
const copySeconds = 600

/** What a client declares: the length that its player shows, rounded up; none of a picture. */
export const declaredOf = ({ kind, known, declaredSeconds }: Recipe) =>
  declaredSeconds ?? (kind === MediaKind.IMAGE ? 0 : Math.max(1, Math.ceil(known.seconds - known.frameSeconds)))

/** Makes the file, orders it alone, hears the decision, and takes the stored copy out of the bucket. */
export async function decide<One extends Recipe>({ host, topics, probe, folder }: Deps, recipe: One, index: number): Promise<Decided<One>> {
  const file = await recipe.make()
  const own = join(folder, String(index))
  await mkdir(own, { recursive: true })
  const source = join(own, `source.${recipe.extension}`)
  await writeFile(source, file)
  const order = orderOf({ inputs: [{ kind: recipe.kind, url: host.serve(Bun.file(source)), declaredSeconds: declaredOf(recipe) }] })
  const startedAt = performance.now()
  await topics.reserve([order])
  const outcome = await topics.outcome(order, decisionMs)
  const seconds = (performance.now() - startedAt) / 1000
  const media = outcome.verified?.media[0]
  if (!media) return { recipe, outcome, seconds }
  const path = join(own, `copy.${recipe.extension}`)
  const stored = await fetch(await probe.store.presignGet(media.objectKey, copySeconds))
  if (!stored.ok) throw new Error(`${media.objectKey} is not in the bucket: ${stored.status}`)
  await writeFile(path, Buffer.from(await stored.arrayBuffer()))
  return { recipe, outcome, seconds, copy: { path, source, known: recipe.known, media } }
}
