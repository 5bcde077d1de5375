import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Session } from '../session.ts'
import { toolError } from '../tool-error.ts'
import { requestOf, requestShape } from './request-shape.ts'

/** The price of a request, beside what may still be spent. */
export function estimateVideo(server: McpServer, session: Session): void {
  const about = {
    title: 'Estimate a video',
    description: 'Says what a video would cost in credits, and checks the request as generate_video does. Makes and charges nothing.',
    inputSchema: z.strictObject(requestShape),
    outputSchema: {
      credits: z.number(),
      available: z.boolean().describe('Whether the model can be had at the moment.'),
      budget_left: z.number().nullable().describe('Credits that generate_video may still spend here; null: it may spend none.'),
      max_per_video: z.number().nullable(),
      within_budget: z.boolean(),
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }
  server.registerTool('estimate_video', about, async (given, { signal }) => {
    try {
      const { credits, available } = await session.filmgate.estimate(requestOf(given), { signal })
      const left = session.budget?.left() ?? null
      const within_budget = left !== null && credits <= left && credits <= (session.videoCreditsMax ?? Number.POSITIVE_INFINITY)
      const structuredContent = { credits, available, budget_left: left, max_per_video: session.videoCreditsMax ?? null, within_budget }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    } catch (error) {
      return toolError(error)
    }
  })
}
