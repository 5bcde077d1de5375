import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstAccount } from '@filmgate/tools/stack/contents/first-account'
import { explain } from '@filmgate/tools/stack/fault'
import { openInstance, root } from '@filmgate/tools/stack/instance'
import { runStack } from '@filmgate/tools/stack/run-stack'
import { bunTest } from '@filmgate/tools/test/bun/bun-test'
import { applyStackSettings, wireEnv } from '@filmgate/tools/test/environment'
import { forms } from './forms'

/** One form in a process of its own: `run-form.ts NAME PORT_BASE SECONDS [PATTERN]`. Leaves .local/faults-NAME/outcome.json. */
async function main([name = '', portBase = '', seconds = '', only]: string[]): Promise<number> {
  const form = forms.find(each => each.name === name)
  if (!form) throw new Error(`there is no form ${name}`)
  applyStackSettings(join(root, form.settings))
  const instance = openInstance(`faults-${name}`, Number(portBase))
  const figuresFile = join(instance.dir, 'figures.jsonl')
  writeFileSync(figuresFile, '')
  return runStack(instance, {
    only: 'all',
    fresh: true,
    gateways: 1,
    onReady: async ({ supervisor }) => void (await firstAccount(instance, supervisor.addresses)),
    work: async ({ supervisor, signal }) => {
      const env = {
        ...process.env,
        ...wireEnv(instance, supervisor.addresses),
        FILMGATE_FIGURES_FILE: figuresFile,
        ...(form.lastsAsAsked && { FILMGATE_FAULT_MS: String(Number(seconds) * 1_000) }),
      }
      const outcome = await bunTest({
        ...form,
        ...(only !== undefined && { namePattern: only }),
        env,
        signal,
        reportFile: join(instance.dir, 'junit.xml'),
        show: line => console.error(line),
      })
      writeFileSync(join(instance.dir, 'outcome.json'), JSON.stringify(outcome))
      return outcome.failed ? 1 : 0
    },
  })
}

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
