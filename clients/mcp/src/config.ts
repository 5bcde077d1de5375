import { parseArgs } from 'node:util'

export type Config = {
  /** Ends in /api/v1. */
  baseUrl: string
  /** Of stdio; over HTTP each caller sends their own. */
  apiKey: string | undefined
  /** The port of streamable HTTP; undefined: stdio. */
  httpPort: number | undefined
  /** Credits that the tools may spend; undefined: none. */
  budgetCredits: number | undefined
  videoCreditsMax: number | undefined
  /** The one directory that videos are saved in. */
  saveTo: string | undefined
}

export const usage = `Usage: filmgate-mcp [--http PORT] [--save-to DIRECTORY]

  --http PORT           streamable HTTP at http://127.0.0.1:PORT/mcp instead of stdio
  --save-to DIRECTORY   offers the tool save_video, which writes new files there and nowhere else

FILMGATE_URL                 the address of the API, ends in /api/v1
FILMGATE_API_KEY             the key of stdio; over HTTP each caller sends their own as a bearer token
FILMGATE_MCP_BUDGET          credits that may be spent until the server ends; without it no video is made
FILMGATE_MCP_MAX_PER_VIDEO   credits that one video may cost at most`

type Read = { config: Config } | { help: true } | { faults: string[] }
type Variables = Record<string, string | undefined>

/** What was asked for, or all that is wrong with it. */
export function readConfig(words: string[], variables: Variables): Read {
  const faults: string[] = []
  const options = readOptions(words, faults)
  if (options.help) return { help: true }
  const baseUrl = variables.FILMGATE_URL ?? ''
  if (!/^https?:\/\/[^\s]+$/.test(baseUrl)) faults.push('FILMGATE_URL must be the address of the API, which ends in /api/v1.')
  const httpPort = options.http === undefined ? undefined : wholeNumber(options.http, 65_535)
  if (Number.isNaN(httpPort)) faults.push('--http needs a port from 0 to 65535.')
  const apiKey = variables.FILMGATE_API_KEY || undefined
  if (httpPort === undefined && !apiKey) faults.push('FILMGATE_API_KEY must be a key of Filmgate: sk_live_….')
  const [budgetCredits, videoCreditsMax] = ['FILMGATE_MCP_BUDGET', 'FILMGATE_MCP_MAX_PER_VIDEO'].map(name =>
    credits(name, variables, faults),
  )
  if (faults.length > 0) return { faults }
  return { config: { baseUrl, apiKey, httpPort, budgetCredits, videoCreditsMax, saveTo: options['save-to'] } }
}

function readOptions(words: string[], faults: string[]): { http?: string; 'save-to'?: string; help?: boolean } {
  const options = { http: { type: 'string' }, 'save-to': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: words, options }).values
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return {}
  }
}

function credits(name: string, variables: Variables, faults: string[]): number | undefined {
  const text = variables[name]
  if (!text) return undefined
  const number = wholeNumber(text, Number.MAX_SAFE_INTEGER)
  if (Number.isNaN(number)) faults.push(`${name} must be a whole number of credits.`)
  return number
}

const wholeNumber = (text: string, max: number): number => (/^\d{1,16}$/.test(text) && Number(text) <= max ? Number(text) : Number.NaN)
