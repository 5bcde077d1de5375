#!/usr/bin/env node
import { stat } from 'node:fs/promises'
import { Filmgate } from '@filmgate/client'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Config, readConfig, usage } from './config.ts'
import { serveHttp } from './http.ts'
import { createServer } from './server.ts'
import { createSession } from './session.ts'
import { createBudget } from './spend/budget.ts'

const read = readConfig(process.argv.slice(2), process.env)
if ('help' in read) end(0, usage)
else if ('faults' in read) end(2, `${read.faults.join('\n')}\n\n${usage}`)
else await serve(read.config)

async function serve(config: Config): Promise<void> {
  const { saveTo, httpPort, apiKey = '' } = config
  const isFolder = saveTo === undefined || (await stat(saveTo).catch(() => undefined))?.isDirectory()
  if (!isFolder) return end(2, `--save-to ${saveTo} is no directory.`)
  const stop = httpPort === undefined ? await serveStdio(config, apiKey) : await serveOverHttp(config, httpPort)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(0)))
}

async function serveStdio(config: Config, apiKey: string): Promise<() => Promise<void>> {
  const server = createServer(sessionFor(config, apiKey))
  // The client has gone: a call that still waits would keep the process.
  process.stdin.once('end', () => void server.close().finally(() => process.exit(0)))
  await server.connect(new StdioServerTransport())
  return () => server.close()
}

async function serveOverHttp(config: Config, port: number): Promise<() => Promise<void>> {
  const { url, stop } = await serveHttp({ sessionOf: apiKey => sessionFor(config, apiKey) }, port)
  console.error(`Filmgate's MCP server listens at ${url}`)
  return stop
}

function sessionFor({ baseUrl, budgetCredits, videoCreditsMax, saveTo }: Config, apiKey: string) {
  const budget = budgetCredits === undefined ? undefined : createBudget({ credits: budgetCredits })
  return createSession({ filmgate: new Filmgate({ apiKey, baseUrl }), budget, videoCreditsMax, saveTo })
}

/** On stdio stdout belongs to the protocol, and nothing has begun yet. */
function end(status: number, words: string): void {
  if (status === 0) console.log(words)
  else console.error(words)
  process.exitCode = status
}
