import { afterAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { startGateway, video } from './testing/gateway.ts'

const source = import.meta.dir
const root = join(source, '../../..')
const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const bytesMax = 15_000

/** One file of all that an entry needs. Modules of Node stay imports, where there are any. */
async function bundle(entry: string, target: 'browser' | 'node', format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputs, logs } = await Bun.build({ entrypoints: [entry], target, format, minify: true, external: ['node:*'] })
  expect(logs).toEqual([])
  expect(outputs).toHaveLength(1)
  return (await outputs[0]?.text()) ?? ''
}

const run = async (command: string[], env: Record<string, string> = {}) => {
  const child = Bun.spawn(command, { cwd: root, env: { PATH: process.env.PATH, ...env }, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return { out, err, code }
}

test('all of the main entry and of webhooks is at most 15 kB compressed, and imports nothing', async () => {
  const imports = new Bun.Transpiler({ loader: 'js' })
  for (const entry of ['index.ts', 'webhooks.ts']) {
    const text = await bundle(join(source, entry), 'browser')
    expect(imports.scanImports(text).filter(({ path }) => path !== '')).toEqual([])
    expect(Bun.gzipSync(text).length).toBeLessThanOrEqual(bytesMax)
  }
})

test('a worker, with nothing but fetch, WebCrypto and streams, makes a video and is told that it has no files', async () => {
  await using gateway = await startGateway()
  const entry = join(folder, 'worker.ts')
  await writeFile(entry, `import { Filmgate } from ${JSON.stringify(join(source, 'index.ts'))}\nglobalThis.Filmgate = Filmgate\n`)
  const ofWorkers = { fetch, crypto, URL, URLSearchParams, AbortController, AbortSignal, TextEncoder, TextDecoder, Headers, Response, Blob }
  const globals = createContext({ ...ofWorkers, performance, setTimeout, clearTimeout })
  runInContext(await bundle(entry, 'browser', 'iife'), globals)
  const made = await runInContext(
    `new Filmgate({ apiKey: 'sk_live_test', baseUrl: ${JSON.stringify(gateway.url)} }).generate({ model: 'alpha-h3', prompt: 'A boat' })`,
    globals,
  )
  expect(Buffer.from(await (await made.response()).arrayBuffer())).toEqual(video)
  expect(await made.save('boat.mp4').catch((error: { code: string }) => error.code)).toBe('invalid_argument')
})

test('Node makes and saves a video, and ends when it is done', async () => {
  await using gateway = await startGateway()
  const [client, program, path] = ['client.mjs', 'program.mjs', 'boat.mp4'].map(name => join(folder, name)) as [string, string, string]
  await writeFile(client, await bundle(join(source, 'index.ts'), 'node'))
  await writeFile(
    program,
    `import { Filmgate } from './client.mjs'
     const video = await new Filmgate().generate({ model: 'alpha-h3', prompt: 'A boat' }, { saveTo: ${JSON.stringify(path)} })
     console.log(video.task.status)`,
  )
  const env = { FILMGATE_API_KEY: 'sk_live_test', FILMGATE_URL: gateway.url }
  expect(await run(['node', program], env)).toEqual({ out: 'completed\n', err: '', code: 0 })
  expect(await readFile(path)).toEqual(video)
}, 30_000)

test('the types that are published have no any', async () => {
  const declarations = join(folder, 'types')
  await mkdir(declarations)
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false, tsBuildInfoFile: null }
  const places = { outDir: declarations, rootDir: source, typeRoots: [join(root, 'node_modules/@types')] }
  const files = ['index.ts', 'webhooks.ts', 'node.ts'].map(name => join(source, name))
  await writeFile(
    config,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: { ...compilerOptions, ...places }, files, include: [] }),
  )
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  expect(await run([process.execPath, compiler, '-p', config])).toEqual({ out: '', err: '', code: 0 })
  const names = (await readdir(declarations, { recursive: true })).filter(name => name.endsWith('.d.ts'))
  expect(names).toContain('filmgate.d.ts')
  const anys = await Promise.all(names.map(async name => anysOf(name, await readFile(join(declarations, name), 'utf8'))))
  expect(anys.flat()).toEqual([])
}, 60_000)

function anysOf(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${name}: ${node.parent.getText()}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
