import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Bodies } from './bodies'

const root = resolve(import.meta.dir, '../../..')
const compiler = join(root, 'node_modules/typescript-native/bin/tsc')

export type Misjudged = { line: string; words: string }
/** `refused`: how many wrong bodies were refused. */
export type Compiled = { misjudged: Misjudged[]; refused: number; ms: number }

/** One run of tsc over all bodies: those that it takes though they are wrong, and refuses though they are right. */
export async function compileTypeScript({ right, wrong, beyond }: Bodies): Promise<Compiled> {
  const lines = [
    `import type { VideoGenerationRequest } from '${join(root, 'clients/typescript/src/generated')}'`,
    'declare function take(request: VideoGenerationRequest): void',
    ...[...right, ...beyond].map(body => `take(${JSON.stringify(body)})`),
    ...wrong.flatMap(({ kind, body }) => [`// @ts-expect-error ${kind}`, `take(${JSON.stringify(body)})`]),
  ]
  // In the checkout, so that nothing else is compiled with it and paths are short.
  const folder = mkdtempSync(join(root, 'node_modules/.types-'))
  try {
    await Bun.write(join(folder, 'bodies.ts'), lines.join('\n'))
    const options = { strict: true, noEmit: true, target: 'ESNext', module: 'Preserve', types: [] }
    await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['bodies.ts'] }))
    const began = performance.now()
    const child = Bun.spawn([process.execPath, compiler, '-p', folder, '--pretty', 'false'], { stdout: 'pipe', stderr: 'pipe' })
    const [output, errors, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    const misjudged = readErrors(output, lines)
    if (code !== 0 && misjudged.length === 0) throw new Error(`tsc: ${output}${errors}`)
    const taken = misjudged.filter(({ line }) => line.startsWith('//')).length
    return { misjudged, refused: wrong.length - taken, ms: performance.now() - began }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** TS2578 is at an expectation that was not met, one line above its body. */
function readErrors(output: string, lines: string[]): Misjudged[] {
  return [...output.matchAll(/bodies\.ts\((\d+),\d+\): error (TS\d+: .*)/g)].map(([, number, words = '']) => {
    const index = Number(number) - 1
    const [line = '', next = ''] = lines.slice(index)
    return { line: line.startsWith('//') ? `${line} ${next}` : line, words }
  })
}
