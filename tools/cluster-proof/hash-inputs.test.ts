import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mustRun } from '../stack/fetch/run'
import { root } from '../stack/instance'
import { hashInputs, reportFile } from './hash-inputs'

const checkouts = mkdtempSync(join(tmpdir(), 'cluster-proof-'))
afterAll(() => rmSync(checkouts, { recursive: true }))

const files: Record<string, string> = {
  'charts/ledger/templates/deployment.yaml': 'kind: Deployment',
  'charts/ledger/README.md': 'prose',
  'k8s/namespaces.yaml': 'kind: Namespace',
  Dockerfile: 'FROM scratch',
  'services/ledger/src/main.ts': 'code',
  'tests/cluster/run.ts': 'run',
  'tests/cluster/node/up.sh': 'up',
  'tests/cluster/node/cluster/go.mod': 'module node',
  'tools/modules/go.ts': 'go',
  [reportFile]: '{}',
}

/** A checkout with these files, all of them tracked by git. */
async function checkout(name: string): Promise<string> {
  const folder = join(checkouts, name)
  for (const [file, text] of Object.entries(files)) write(folder, file, text)
  symlinkSync('../ledger', join(folder, 'charts/link'))
  await mustRun('Making a checkout', ['git', 'init', '-q', folder])
  await mustRun('Adding its files', ['git', '-C', folder, 'add', '--all'])
  return folder
}

function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

test('inputs are hashed alike in every checkout, and only they', async () => {
  const [one, other] = [await hashInputs(await checkout('here')), await hashInputs(await checkout('elsewhere/deep'))]
  expect(one).toEqual(other)
  expect(Object.keys(one)).toEqual([
    'Dockerfile',
    'charts/ledger/templates',
    'charts/link',
    'k8s/namespaces.yaml',
    'tests/cluster/node',
    'tests/cluster/run.ts',
    'tools/modules/go.ts',
  ])
})

test('what git does not track, prose, tests, code of services and the report itself change nothing', async () => {
  const folder = await checkout('junk')
  const before = await hashInputs(folder)
  for (const file of ['charts/ledger/junk.yaml', 'charts/ledger/README.md', 'services/ledger/src/main.ts', reportFile])
    write(folder, file, 'something else')
  write(folder, 'tests/cluster/gate.test.ts', 'a test')
  await mustRun('Adding a test', ['git', '-C', folder, 'add', 'tests/cluster/gate.test.ts'])
  expect(await hashInputs(folder)).toEqual(before)
})

test('a change of content, a file that moves, goes or becomes a program, and a link that leads elsewhere are named', async () => {
  const folder = await checkout('changed')
  const before = await hashInputs(folder)
  const changedBy = async (change: () => unknown) => {
    await change()
    const now = await hashInputs(folder)
    const changed = Object.keys({ ...before, ...now }).filter(name => before[name] !== now[name])
    await mustRun('Taking it back', ['git', '-C', folder, 'checkout', '-q', '--', '.'])
    return changed
  }
  expect(await changedBy(() => write(folder, 'charts/ledger/templates/deployment.yaml', 'kind: StatefulSet'))).toEqual([
    'charts/ledger/templates',
  ])
  expect(await changedBy(() => write(folder, 'tests/cluster/node/cluster/go.mod', 'module other'))).toEqual(['tests/cluster/node'])
  expect(await changedBy(() => chmodSync(join(folder, 'tests/cluster/node/up.sh'), 0o755))).toEqual(['tests/cluster/node'])
  expect(await changedBy(() => rmSync(join(folder, 'k8s/namespaces.yaml')))).toEqual(['k8s/namespaces.yaml'])
  expect(
    await changedBy(() => {
      rmSync(join(folder, 'charts/link'))
      symlinkSync('../gateway', join(folder, 'charts/link'))
    }),
  ).toEqual(['charts/link'])
  expect(await hashInputs(folder)).toEqual(before)
  await mustRun('Moving a file', ['git', '-C', folder, 'mv', 'tests/cluster/node/up.sh', 'tests/cluster/node/start.sh'])
  expect(await changedBy(() => undefined)).toEqual(['tests/cluster/node'])
})

test("the project's own inputs are found, its images and the node's pins among them", async () => {
  const inputs = Object.keys(await hashInputs(root))
  for (const input of ['charts/filmgate/templates', 'Dockerfile', 'tests/cluster/node', 'tools/modules/go.ts'])
    expect(inputs).toContain(input)
})
