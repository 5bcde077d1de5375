import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { type Card, cardOf, priceLine, valuesOf } from '../model-page.ts'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'

const model = z.object({
  id: z.string(),
  available: z.boolean(),
  modes: z.array(z.string()),
  durations: z.string().describe('Seconds.'),
  resolutions: z.string(),
  prices: z.array(z.string()),
})

/** The models in short, for choosing one. */
export function listModels(server: McpServer, session: Session): void {
  const about = {
    title: 'List models',
    description: 'Lists the video models with their modes, durations in seconds, resolutions and prices in credits. Costs nothing.',
    inputSchema: z.strictObject({ mode: z.string().optional().describe('Only models with this mode, such as image-to-video.') }),
    outputSchema: { models: z.array(model) },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('list_models', about, async ({ mode }) => {
    try {
      const cards = (await session.models()).map(cardOf).filter(({ modes }) => mode === undefined || Object.hasOwn(modes, mode))
      const structuredContent = { models: cards.map(shortView) }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent, null, 1) }], structuredContent }
    } catch (error) {
      return toolError(error)
    }
  })
}

function shortView({ id, available, modes, pricing }: Card): z.infer<typeof model> {
  const valuesIn = (field: string) =>
    [
      ...new Set(
        Object.values(modes)
          .flatMap(({ schema }) => schema.properties?.[field] ?? [])
          .map(valuesOf),
      ),
    ].join('; ')
  return {
    id,
    available,
    modes: Object.keys(modes),
    durations: valuesIn('duration'),
    resolutions: valuesIn('resolution'),
    prices: pricing?.rows.map(priceLine) ?? [],
  }
}
