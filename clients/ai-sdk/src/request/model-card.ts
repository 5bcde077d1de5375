import type { Filmgate } from '@filmgate/client'

/** What a mode of a model takes, as far as the AI SDK's settings are mapped by it. */
export type ModeCard = { fields: string[]; choices(field: string): string[] }
export type ModelCard = { modes: Map<string, ModeCard> }
export type FindCard = (client: Pick<Filmgate, 'models'>, modelId: string, signal?: AbortSignal) => Promise<ModelCard | undefined>

const keptMs = 10 * 60_000

/** Reads GET /models once for all calls of ten minutes. A model that is not among them is looked for anew, and may be none. */
export function createFindCard(now: () => number = Date.now): FindCard {
  let cards = new Map<string, ModelCard>()
  let readAt = Number.NEGATIVE_INFINITY
  return async (client, modelId, signal) => {
    const known = now() - readAt < keptMs ? cards.get(modelId) : undefined
    if (known) return known
    const { data } = await client.models.list({ signal })
    cards = new Map(data.map(({ id, modes }) => [id, readCard(modes)]))
    readAt = now()
    return cards.get(modelId)
  }
}

type PublishedMode = { fields: string[]; schema: { properties?: Record<string, { enum?: unknown[] }> } }

export function readCard(modes: object): ModelCard {
  return { modes: new Map(Object.entries(modes).map(([name, mode]) => [name, readMode(mode as PublishedMode)])) }
}

function readMode({ fields, schema: { properties = {} } }: PublishedMode): ModeCard {
  return { fields, choices: field => (properties[field]?.enum ?? []).filter(choice => typeof choice === 'string') }
}
