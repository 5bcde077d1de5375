import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '@filmgate/tools/stack/fetch/run'
import { openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { heyApi, openapiTypescript, python } from './programs'
import { fetchTools, type Tools } from './tools'

const root = resolve(import.meta.dir, '../../..')
const pythonFilesMax = 129
const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
}

type Workshop = { report: Report; folder: string; tools: Tools; request: string; document: string; apiKey: string }

/** Linters find nothing in the document, and clients that three generators make of it with their defaults compile and make a video. */
export async function proveClients(report: Report): Promise<void> {
  const folder = workFolder()
  try {
    const tools = await fetchTools()
    const document = join(folder, 'openapi.json')
    writeFileSync(document, await (await fetch(`${new URL(settings.url).origin}/openapi.json`)).text())
    const { apiKey } = await openAccount({ credits: 100_000 })
    const workshop = { report, folder, tools, request: requestOfReadme(), document, apiKey }
    await proveLint(workshop)
    await proveTypescript(workshop, 'openapi-typescript', openapiTypescript, 'schema.ts')
    await proveTypescript(workshop, 'openapi-ts', heyApi, 'generated')
    await provePython(workshop)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The body of the first request that the README shows. */
export function requestOfReadme(): string {
  const body = /-d '(\{"model".*\})'/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1]
  if (!body) throw new Error('the README shows no request')
  return body
}

/** Every rule of Spectral's and the recommended ones of Redocly; a warning is a fault. */
async function proveLint({ report, folder, tools, document }: Workshop): Promise<void> {
  const ruleset = join(folder, 'ruleset.yaml')
  writeFileSync(ruleset, "extends: ['spectral:oas']\n")
  const spectral = await runTool(tools, 'spectral', ['lint', document, '--ruleset', ruleset, '--fail-severity', 'hint'])
  report.check('Spectral finds nothing', spectral.code === 0, spectral.output.slice(-4_000))
  const redocly = await runTool(tools, 'redocly', ['lint', document, '--extends', 'recommended', '--format', 'json'])
  const found = /"totals":\s*\{[^}]*\}/.exec(redocly.output)?.[0] ?? ''
  const clean = redocly.code === 0 && /"errors":\s*0,\s*"warnings":\s*0/.test(found)
  report.check('Redocly finds neither errors nor warnings', clean, found || redocly.output.slice(-4_000))
}

/** Generates, compiles strictly with the program of a user, and runs it. */
async function proveTypescript(
  { report, folder, tools, request, document, apiKey }: Workshop,
  generator: 'openapi-typescript' | 'openapi-ts',
  program: (request: string) => string,
  output: string,
): Promise<void> {
  const own = join(folder, generator)
  mkdirSync(own)
  symlinkSync(join(tools.npm, 'node_modules'), join(own, 'node_modules'))
  const words = generator === 'openapi-ts' ? ['-i', document, '-o', join(own, output)] : [document, '-o', join(own, output)]
  const generated = await runTool(tools, generator, words)
  report.check(`${generator} generates a client`, generated.code === 0, generated.output.slice(-4_000))
  writeFileSync(join(own, 'main.ts'), program(request))
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['.'] }))
  const compiled = await runTool(tools, 'tsc', ['-p', own])
  report.check(`what ${generator} generates compiles, with the README's request`, compiled.code === 0, compiled.output.slice(0, 4_000))
  await proveVideo(report, generator, [process.execPath, join(own, 'main.ts')], { FILMGATE_API_KEY: apiKey, FILMGATE_URL: settings.url })
}

async function provePython({ report, folder, tools, request, document, apiKey }: Workshop): Promise<void> {
  const client = join(folder, 'filmgate_client')
  const env = { PYTHONPATH: `${tools.python}:${folder}`, PATH: `${join(tools.python, 'bin')}:${process.env.PATH}` }
  const generator = join(tools.python, 'bin/openapi-python-client')
  const command = ['python3', generator, 'generate', '--path', document, '--meta', 'none', '--output-path', client, '--fail-on-warning']
  const generated = await run(command, { env, cwd: folder })
  report.check('openapi-python-client generates a client without a warning', generated.code === 0, generated.output.slice(-4_000))
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.py')).length
  report.check(`openapi-python-client makes less than ${pythonFilesMax + 1} files`, files > 10 && files <= pythonFilesMax, String(files))
  report.figure('clients.python_files', files)
  const compiled = await run(['python3', '-m', 'compileall', '-q', client], { env })
  report.check('what openapi-python-client generates compiles', compiled.code === 0, compiled.output.slice(-4_000))
  writeFileSync(join(folder, 'main.py'), python(request))
  await proveVideo(report, 'openapi-python-client', ['python3', join(folder, 'main.py')], {
    ...env,
    FILMGATE_API_KEY: apiKey,
    FILMGATE_URL: settings.url,
  })
}

/** The program prints the task it followed to its end; its video is there. */
async function proveVideo(report: Report, generator: string, command: string[], env: Record<string, string>): Promise<void> {
  const { code, output } = await run(command, { env })
  const url = code === 0 ? JSON.parse(output.split('\n').at(-1) ?? '').output?.video_url : undefined
  const bytes = url ? new Uint8Array(await (await fetch(url)).arrayBuffer()) : new Uint8Array()
  const isVideo = new TextDecoder().decode(bytes.slice(4, 8)) === 'ftyp'
  report.check(`a program with the client of ${generator} makes a video`, isVideo, output.slice(-4_000))
}

const runTool = ({ npm }: Tools, name: string, words: string[]) => run(['node', join(npm, 'node_modules/.bin', name), ...words])

/** Beside the cache and not in /tmp: the modules that generated code imports are found from there. */
function workFolder(): string {
  mkdirSync(join(root, '.local'), { recursive: true })
  return mkdtempSync(join(root, '.local/api-clients-'))
}
