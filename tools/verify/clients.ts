import { existsSync, readFileSync } from 'node:fs'
import { generate } from '../clients/generate/generate'
import { passIfNone, type Step } from './step'

export const clientSteps: Step[] = [
  {
    name: 'clients generated',
    reads: /^(clients\/[^/]+\/src\/|proto\/|services\/(catalog|gateway|kit)\/|tools\/(clients|verify)\/|bun\.lock$)/,
    fix: '`bun run clients generate` writes them again; commit the result, with a line in the CHANGELOG.md of each client that shows it: typescript, python, and mcp for a field.',
    run: async () => {
      const files = Object.entries(await generate())
      const stale = files.filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
      return passIfNone(stale.map(([path]) => `${path} is not what the OpenAPI document says`))
    },
  },
]
