import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { cardOf, modelPage } from './model-page.ts'
import type { Session } from './session.ts'
import { cancelTask } from './tools/cancel-task.ts'
import { describeModel } from './tools/describe-model.ts'
import { estimateVideo } from './tools/estimate-video.ts'
import { generateVideo } from './tools/generate-video.ts'
import { getCredits } from './tools/get-credits.ts'
import { getTask } from './tools/get-task.ts'
import { listModels } from './tools/list-models.ts'
import { listTasks } from './tools/list-tasks.ts'
import { saveVideo } from './tools/save-video.ts'
import { waitForVideo } from './tools/wait-for-video.ts'

const instructions = `Filmgate makes videos with models of many providers, paid with credits.
Choose a model with list_models and describe_model, ask estimate_video for the price, then call generate_video once for each video that is
wanted, with an idempotency_key of its own. Follow it with wait_for_video. A failed video gives its credits back.
If a call of generate_video breaks, repeat it with the same idempotency_key: that never makes or charges a second video.`

/** The tools and resources of one caller. */
export function createServer(session: Session): McpServer {
  const server = new McpServer({ name: 'filmgate', title: 'Filmgate', version: '0.1.0' }, { instructions, capabilities: { logging: {} } })
  const tools = [listModels, describeModel, estimateVideo, generateVideo, waitForVideo, getTask, listTasks, cancelTask, getCredits]
  for (const register of tools) register(server, session)
  if (session.saveTo !== undefined) saveVideo(server, { ...session, saveTo: session.saveTo })
  registerModelPages(server, session)
  return server
}

const uriOf = (id: string) => `filmgate://models/${encodeURIComponent(id)}`
const mimeType = 'text/markdown'

function registerModelPages(server: McpServer, session: Session): void {
  const ids = async () => (await session.models()).map(({ id }) => id)
  const list = async () => ({
    resources: (await ids()).map(id => ({ uri: uriOf(id), name: id, description: `What ${id} takes and costs.`, mimeType })),
  })
  const complete = { model: async (start: string) => (await ids()).filter(id => id.startsWith(start)) }
  const template = new ResourceTemplate('filmgate://models/{model}', { list, complete })
  const about = { title: 'Model', description: 'The modes, fields, limits and prices of a model, as Markdown.', mimeType }
  server.registerResource('model', template, about, async (uri, { model }) => {
    const id = decodeURIComponent(String(model))
    const found = (await session.models()).find(each => each.id === id)
    if (!found) throw new Error(`No model ${id}. There are ${(await ids()).join(', ')}.`)
    return { contents: [{ uri: uri.href, mimeType, text: modelPage(cardOf(found)) }] }
  })
}
