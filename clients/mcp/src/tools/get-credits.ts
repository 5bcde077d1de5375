import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { freeBudget } from '../spend/free-budget.ts'
import { toolError } from '../tool-error.ts'

/** The balance of the account, and what this server may spend of it. */
export function getCredits(server: McpServer, session: Session): void {
  const about = {
    title: 'Get credits',
    description: 'Says how many paid credits the account has, and how many of them generate_video may still spend here.',
    inputSchema: z.strictObject({}),
    outputSchema: {
      available_credits: z.number(),
      budget: z
        .object({ credits: z.number(), spent: z.number(), left: z.number() })
        .nullable()
        .describe('null: nothing may be spent here.'),
      max_per_video: z.number().nullable(),
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('get_credits', about, async (_, { signal }) => {
    try {
      const { available_credits } = await session.filmgate.credits({ signal })
      const { budget, filmgate, videoCreditsMax = null } = session
      if (budget) await freeBudget(filmgate, budget)
      const shown = budget ? { credits: budget.credits, spent: budget.spent(), left: budget.left() } : null
      const structuredContent = { available_credits, budget: shown, max_per_video: videoCreditsMax }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    } catch (error) {
      return toolError(error)
    }
  })
}
