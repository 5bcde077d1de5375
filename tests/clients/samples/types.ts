import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '@filmgate/tools/stack/fetch/run'
import type { Report } from '../../support/suite/report'
import { type Body, fillSample, samples } from './programs'

const root = resolve(import.meta.dir, '../../..')
const strict = {
  ...{ strict: true, noEmit: true, target: 'esnext', module: 'preserve', moduleResolution: 'bundler', skipLibCheck: true },
  ...{ lib: ['esnext', 'dom', 'dom.iterable'], types: ['node'], allowImportingTsExtensions: true },
}

/** What the reference shows in TypeScript compiles strictly, for each model and mode. */
export async function proveTypes(report: Report, bodies: Body[]): Promise<void> {
  mkdirSync(join(root, '.local'), { recursive: true })
  const folder = mkdtempSync(join(root, '.local/sample-types-'))
  try {
    const written = samples().flatMap(({ sample, files }) => files.filter(file => file.endsWith('.ts')).map(file => ({ sample, file })))
    for (const { sample, file } of written)
      for (const [index, body] of bodies.entries())
        writeFileSync(join(folder, `${sample}-${file.slice(0, -3)}-${index}.ts`), fillSample(sample, file, body).text)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['*.ts'] }))
    const { code, output } = await run([process.execPath, join(root, 'node_modules/typescript-native/bin/tsc'), '-p', folder])
    report.figure('samples.compiled', written.length * bodies.length)
    report.check('the samples compile for every model and mode', code === 0, output.slice(0, 4_000))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
