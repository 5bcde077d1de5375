import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { cardOf, modelPage } from '../model-page.ts'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'

/** All that a model takes, as its card has it. */
export function describeModel(server: McpServer, session: Session): void {
  const about = {
    title: 'Describe a model',
    description:
      'Says what a model takes in each mode: fields with their values and defaults, rules, limits of media, prices. Costs nothing.',
    inputSchema: z.strictObject({ model: z.string().describe('An id of list_models.') }),
    outputSchema: {
      id: z.string(),
      available: z.boolean(),
      modes: z.record(z.string(), z.looseObject({ required: z.array(z.string()), fields: z.array(z.string()) })),
      rules: z.array(z.looseObject({ message: z.string() })),
      pricing: z.looseObject({}).nullable(),
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('describe_model', about, async ({ model: id }) => {
    try {
      const models = await session.models()
      const found = models.find(model => model.id === id)
      if (!found) return toolError(new Error(`No model ${id}. There are ${models.map(model => model.id).join(', ')}.`))
      const card = cardOf(found)
      const { available, modes, rules = [], pricing = null } = card
      return { content: [{ type: 'text', text: modelPage(card) }], structuredContent: { id, available, modes, rules, pricing } }
    } catch (error) {
      return toolError(error)
    }
  })
}
