import { mkdirSync, writeFileSync } from 'node:fs'
import type { MarginRow } from '@filmgate/proto/operator/provider'
import { marginsTable } from '../ops/model/margins'
import type { Json } from '../ops/operator-api'
import { render } from '../ops/print/show'
import { passIfNone, type Step } from './step'

const report = '.local/reports/margins.txt'

/** Compares the shipped prices with the routes' costs, using the services' own commands. */
export const marginSteps: Step[] = [
  {
    name: 'prices and costs',
    fix: `Raise the price (services/catalog/models, prices), correct the cost (services/dispatcher/routes), or name the exception in \`below_cost\` of the price book. The whole table is in ${report}.`,
    run: async () => {
      const cards = await run(['services/catalog/bin/cards.ts'], '')
      const { rows, faults } = JSON.parse(await run(['services/dispatcher/bin/margins.ts'], cards)) as {
        rows: MarginRow[]
        faults: string[]
      }
      mkdirSync('.local/reports', { recursive: true })
      writeFileSync(report, `${render(marginsTable(rows) as Json)}\n`)
      return passIfNone(faults)
    },
  },
]

async function run(command: string[], input: string): Promise<string> {
  const child = Bun.spawn([process.execPath, ...command], { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [output, errors, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`${command.join(' ')}: ${errors || output}`)
  return output
}
