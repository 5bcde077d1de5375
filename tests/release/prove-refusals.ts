import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from '../support/suite/report'
import { type Bench, version } from './bench'
import type { Tree } from './tree'

/** What is refused before anything is written: a dirty tree, a version that is none or not later, a call that says too little. */
export async function proveRefusals(report: Report, { registry, key }: Bench, tree: Tree): Promise<void> {
  const before = await tree.git('rev-parse', 'HEAD')
  const refused = async (what: string, words: string, ...call: string[]) => {
    const { code, output } = await tree.release(...call)
    report.check(`refused: ${what}`, code === 1 && output.includes(words), `${code} ${output}`)
  }
  await refused('no semver', 'is no version', 'v99.0')
  await refused('build metadata, which no tag can hold', 'is no version', '99.0.0+1')
  await refused('a version of the changelog', 'must be later', '0.1.0')
  await refused('neither key nor identity', 'Say by what it is signed', version, '--registry', registry)
  await refused('a registry with a scheme', 'is no registry', version, '--registry', `https://${registry}`, '--key', key)
  writeFileSync(join(tree.folder, 'left-over.txt'), 'x')
  await refused('a dirty tree', 'left-over.txt', version)
  rmSync(join(tree.folder, 'left-over.txt'))
  const { code, output } = await tree.release(version, '--registry', registry, '--key', key, '--dry-run')
  const planned = [`v${version}: would be made`, 'images for linux/', `charts gateway`].every(words => output.includes(words))
  report.check('--dry-run says what would be done', code === 0 && planned, output)
  const after = [await tree.git('rev-parse', 'HEAD'), await tree.git('tag'), await tree.git('status', '--porcelain')]
  report.check('a refusal and --dry-run write nothing', Bun.deepEquals(after, [before, '', '']), after.join(' '))
  const changelog = readFileSync(join(tree.folder, 'CHANGELOG.md'), 'utf8')
  // As after a release: what was under Unreleased is under a version.
  writeFileSync(join(tree.folder, 'CHANGELOG.md'), changelog.replace('## Unreleased\n', '## Unreleased\n\n## 98.0.0\n'))
  await tree.git('commit', '--quiet', '--all', '-m', 'tests: nothing is unreleased')
  await refused('an empty Unreleased', 'nothing to release', version)
  await tree.git('reset', '--quiet', '--hard', before)
}
