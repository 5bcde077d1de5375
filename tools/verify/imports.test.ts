import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { importRules } from './code'
import { runCommand } from './step'

const root = resolve(import.meta.dir, '../..')
// In the checkout, so that packages resolve.
const dir = mkdtempSync(join(root, 'node_modules/.imports-'))
afterAll(() => rmSync(dir, { recursive: true }))

const sound = {
  'proto/topics.ts': 'export const topics = 1',
  'services/kit/src/environment/variables.ts': 'export const readVariables = 1',
  'services/kit/src/bus.ts': "import '../../../proto/topics'\nexport const bus = 1",
  'services/ledger/src/config.ts': "import '../../kit/src/environment/variables'\nexport const config = 1",
  'services/ledger/src/reservation/reserve.ts': "import '../../../kit/src/bus'\nexport const reserve = 1",
  'services/ledger/src/app.ts': "import './reservation/reserve'\nexport const app = 1",
  'services/ledger/src/main.ts': "import './app'\nimport './config'",
  'services/gateway/src/task.ts': 'export const task = 1',
  'tests/e2e/first.test.ts': "import '../../proto/topics'",
  'tools/ops.ts': "import '../services/kit/src/bus'",
  'clients/typescript/src/client.ts': 'export const client = 1',
  'clients/cli/src/main.ts': "import '../../typescript/src/client'",
}

/** A file that violates each rule, added to the valid tree. */
const slips: [rule: string, file: string, code: string][] = [
  ['no-service-imports-another', 'services/ledger/src/reservation/peek.ts', "import '../../../gateway/src/task'"],
  [
    'no-service-imports-another',
    'services/ledger/src/reservation/type.ts',
    "import type { task } from '../../../gateway/src/task'\nexport type T = typeof task",
  ],
  ['kit-imports-no-service', 'services/kit/src/peek.ts', "import '../../gateway/src/task'"],
  ['proto-imports-nothing-of-ours', 'proto/peek.ts', "import '../services/kit/src/bus'"],
  ['clients-import-clients-alone', 'clients/cli/src/peek.ts', "import '../../../services/kit/src/bus'"],
  ['clients-import-clients-alone', 'clients/mcp/src/peek.ts', "import '../../../proto/topics'"],
  ['tests-import-no-service', 'tests/e2e/peek.test.ts', "import '../../services/gateway/src/task'"],
  ['only-faults-and-load-stop-what-others-use', 'tests/e2e/stops.test.ts', "import '../support/stack'"],
  ['tools-import-no-service', 'tools/peek.ts', "import '../services/gateway/src/task'"],
  ['nobody-imports-main', 'services/ledger/src/peek-main.ts', "import './main'"],
  ['no-folder-imports-app', 'services/ledger/src/entry/peek-app.ts', "import '../app'"],
  ['config-imports-only-kit-config', 'services/gateway/src/config.ts', "import './task'"],
  ['no-testing-in-production', 'services/ledger/src/peek-testing.ts', "import './testing'"],
  ['no-circle', 'services/ledger/src/entry/back.ts', "import './there'"],
  ['not-resolvable', 'services/ledger/src/peek-nowhere.ts', "import './nowhere'"],
]

const beside = {
  'services/ledger/src/testing.ts': 'export const stage = 1',
  'services/ledger/src/entry/there.ts': "import './back'",
  'tests/support/stack.ts': 'export const without = 1',
}

beforeAll(() => {
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) cpSync(join(root, file), join(dir, file))
})

async function check(files: Record<string, string>) {
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(file)), { recursive: true })
    writeFileSync(join(dir, file), code)
  }
  return runCommand(importRules(['clients', 'proto', 'services', 'tests', 'tools'], root), { cwd: dir })
}

test('a valid tree passes, and each rule reports its violation', async () => {
  expect(await check(sound)).toMatchObject({ ok: true })
  const { ok, output } = await check({ ...beside, ...Object.fromEntries(slips.map(([, file, code]) => [file, code])) })
  expect(ok).toBe(false)
  for (const [rule, file] of slips) expect(output).toContain(`error ${rule}: ${file} →`)
})
