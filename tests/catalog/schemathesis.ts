import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const version = '4.32.5'
const cache = resolve(import.meta.dir, '../../.local/cache')
const folder = join(cache, `schemathesis-${version}`)
const installTimeoutMs = 900_000
const runTimeoutMs = 3_600_000
const examplesMax = 10
/** The contract's read timeout: a first POST may wait for its media. */
const requestTimeoutSeconds = 260

/** What counts as a fault of the API; that a body is accepted or refused rightly is held against another validator elsewhere. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

export type SchemathesisResult = { passed: boolean; cases: number; output: string }

/** Runs schemathesis against the API as its own description tells of it. */
export async function runSchemathesis({
  document,
  base,
  apiKey,
  paths,
}: {
  document: string
  base: string
  apiKey: string
  /** Which of the described paths are below this base. */
  paths: { include: string } | { exclude: string }
}): Promise<SchemathesisResult> {
  await install()
  const command = [
    'python3',
    join(folder, 'bin/schemathesis'),
    'run',
    document,
    '--url',
    base,
    '--header',
    `Authorization: Bearer ${apiKey}`,
  ]
  const [[chosen, form]] = Object.entries(paths) as [[string, string]]
  const options = [
    `--${chosen}-path-regex`,
    form,
    '--checks',
    checks.join(','),
    '--max-examples',
    String(examplesMax),
    '--phases',
    'examples,coverage,fuzzing',
    '--request-timeout',
    String(requestTimeoutSeconds),
    '--no-color',
  ]
  const { code, output } = await run([...command, ...options], runTimeoutMs, { PYTHONPATH: folder })
  const cases = Number(/(\d+) generated/.exec(output)?.[1] ?? 0)
  return { passed: code === 0, cases, output: output.slice(-6_000) }
}

async function install(): Promise<void> {
  if (existsSync(join(folder, 'bin/schemathesis'))) return
  const { code, output } = await run(
    ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--upgrade', '--target', folder, `schemathesis==${version}`],
    installTimeoutMs,
  )
  if (code !== 0) throw new Error(`schemathesis ${version} could not be installed by pip (is python3 with pip there?): ${output}`)
}

async function run(command: string[], timeoutMs: number, env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  mkdirSync(cache, { recursive: true })
  const child = Bun.spawn(command, {
    // It leaves a folder of its own where it runs.
    cwd: cache,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, output: output + complaint }
}
