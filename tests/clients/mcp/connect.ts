import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { settings } from '../../support/settings'

/** The server as it is in the repository; a built one runs with `node`. */
export const mcpProgram = join(import.meta.dir, '../../../clients/mcp/src/main.ts')

export type ToolResult = { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] }
type Start = { apiKey: string; limits?: Record<string, string>; saveTo?: string; command?: string[]; url?: string }

/** A client of the MCP SDK with a server of its own on stdio. */
export async function connectMcp({ apiKey, limits = {}, saveTo, command = [process.execPath, mcpProgram], url = settings.url }: Start) {
  const env = { PATH: process.env.PATH ?? '', FILMGATE_URL: url, FILMGATE_API_KEY: apiKey, ...limits }
  const [program = '', ...args] = saveTo === undefined ? command : [...command, '--save-to', saveTo]
  const transport = new StdioClientTransport({ command: program, args, env })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name: string, given: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: given })) as unknown as ToolResult,
    close: () => client.close(),
  }
}
