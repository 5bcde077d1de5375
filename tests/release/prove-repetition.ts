import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleaseFile } from '@filmgate/tools/release/summary'
import { run } from '@filmgate/tools/stack/fetch/run'
import type { Report } from '../support/suite/report'
import { type Bench, version } from './bench'
import type { Tree } from './tree'

/** A release that is interrupted after its first image, taken up again, and repeated; what it consists of. */
export async function proveRepetition(report: Report, { registry, key, crane }: Bench, tree: Tree): Promise<ReleaseFile> {
  const call = [version, '--registry', registry, '--key', key, '--substitute-bases', '--plain-http']
  const digestOf = async (reference: string) => (await run([crane, 'digest', reference])).output
  const image = (name: string) => `${registry}/filmgate/${name}:${version}`
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64'

  const broken = await tree.interruptAt(`pushed   ${registry}/filmgate/gateway`, call)
  const first = await digestOf(`${image('gateway')}-${arch}`)
  const isPart = /^sha256:/.test(first) && !/^sha256:/.test(await digestOf(image('gateway')))
  report.check('an interrupted release has some images and no tag of the version', isPart, `${first} ${broken}`)

  const taken = await tree.release(...call)
  report.check('it is taken up again', taken.code === 0, taken.output)
  report.check('what was pushed keeps its digest', (await digestOf(`${image('gateway')}-${arch}`)) === first, first)
  const file = () => readFileSync(join(tree.folder, '.local/releases', version, 'release.json'), 'utf8')
  const release = file()
  for (const words of [
    'cosign verify ',
    'cosign verify-attestation ',
    `helm install filmgate oci://${registry}/filmgate/charts/filmgate@sha256:`,
  ])
    report.check(`it ends with the command ${words}`, taken.output.includes(`\n${words}`), taken.output)

  const again = await tree.release(...call)
  const silent = !/^(building|pushed|joined|signed|attested) /m.test(again.output)
  report.check('a release that is repeated changes nothing', again.code === 0 && silent && file() === release, again.output)

  const changelog = await tree.git('show', `v${version}:CHANGELOG.md`)
  report.check('the changelog has the version', new RegExp(`^## Unreleased\n\n## ${version} - \\d{4}-\\d\\d-\\d\\d\n`, 'm').test(changelog))
  report.check('nothing but prose differs', (await tree.git('diff', '--name-only', 'HEAD~')) === 'CHANGELOG.md\ncharts/UPGRADING.md')

  await tree.git('commit', '--quiet', '--allow-empty', '-m', 'tests: another commit')
  const other = await tree.release(...call)
  report.check('the version of another commit is refused by its tag', other.code === 1 && other.output.includes('exists:'), other.output)
  await tree.git('tag', '--force', `v${version}`)
  const moved = await tree.release(...call)
  const isRefused = moved.code === 1 && moved.output.includes('choose another version')
  report.check('and by the registry where the tag was moved', isRefused, moved.output)
  const forgotten = await tree.git('rev-parse', 'HEAD')
  await tree.git('tag', '--delete', `v${version}`)
  await tree.git('revert', '--no-edit', 'HEAD~')
  const anew = await tree.release(...call)
  const isUntouched = (await tree.git('tag')) === '' && (await tree.git('rev-parse', 'HEAD~')) === forgotten
  report.check(
    'and before a commit is made',
    anew.code === 1 && /exists, and is of another commit/.test(anew.output) && isUntouched,
    anew.output,
  )
  await tree.git('reset', '--quiet', '--hard', 'HEAD~2')
  await tree.git('tag', '--force', `v${version}`)
  return JSON.parse(release) as ReleaseFile
}
