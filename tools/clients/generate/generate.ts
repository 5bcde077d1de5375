import { join } from 'node:path'
import { root } from '../../stack/instance'
import type { Verb } from '../verb'
import { readContract } from './contract'
import { readSchemas } from './document'
import { python } from './python'
import { pythonCalls } from './python-calls'
import { typescript } from './typescript'

/** The generated files by their paths. */
export async function generate(): Promise<Record<string, string>> {
  const contract = readContract(await readSchemas())
  return {
    'clients/typescript/src/generated.ts': typescript(contract),
    'clients/python/src/filmgate/_generated.py': python(contract),
    'clients/python/src/filmgate/_calls.py': pythonCalls(contract.models),
  }
}

const usage = `Usage: bun run clients generate

Writes the types of the clients from the OpenAPI document, which the services print. \`bun run verify\` sees that they are current.`

export const generateVerb: Verb = {
  summary: 'writes the types of the clients from the OpenAPI document',
  usage,
  async run() {
    for (const [path, text] of Object.entries(await generate())) {
      await Bun.write(join(root, path), text)
      console.log(`${path} written`)
    }
  },
}
