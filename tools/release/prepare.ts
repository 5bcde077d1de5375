import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from '../stack/fault'
import { mustRun, run } from '../stack/fetch/run'
import { root } from '../stack/instance'
import { releaseChangelog, releaseUpgrading, requireVersion, sectionOf } from './notes'

const changelogFile = join(root, 'CHANGELOG.md')
const upgradingFile = join(root, 'charts/UPGRADING.md')

/** The commit of a release and its section of the changelog. */
export type Prepared = { commit: string; notes: string; existed: boolean }

const git = (what: string, ...words: string[]) => mustRun(what, ['git', ...words], { cwd: root })

/**
 * Makes the commit and the tag of a version: *Unreleased* gets its number. If the tag stands at this commit already, that
 * release is taken up again. `requireUnpublished` throws if a registry has the version, which would be of another commit.
 * `dryRun` checks the same and writes nothing.
 */
export async function prepareRelease(version: string, dryRun: boolean, requireUnpublished: () => Promise<void>): Promise<Prepared> {
  requireVersion(version)
  const dirty = await git('Reading the state of the tree', 'status', '--porcelain')
  if (dirty !== '') throw new StackFault(`The tree has changes that no commit has:\n${dirty}`)
  const head = await git('Reading the commit', 'rev-parse', 'HEAD')
  const tagged = await run(['git', 'rev-parse', '--verify', '--quiet', `refs/tags/v${version}^{commit}`], { cwd: root })
  const changelog = readFileSync(changelogFile, 'utf8')
  if (tagged.code === 0) {
    if (tagged.output !== head)
      throw new StackFault(`v${version} exists: ${tagged.output.slice(0, 12)}. To go on with it, check it out: git checkout v${version}`)
    const notes = sectionOf(changelog, version)
    if (notes === undefined) throw new StackFault(`CHANGELOG.md at v${version} has no section ${version}.`)
    return { commit: head, notes, existed: true }
  }
  const released = releaseChangelog(changelog, version, new Date().toISOString().slice(0, 10))
  const notes = sectionOf(released, version) ?? ''
  await requireUnpublished()
  if (dryRun) return { commit: head, notes, existed: false }
  writeFileSync(changelogFile, released)
  writeFileSync(upgradingFile, releaseUpgrading(readFileSync(upgradingFile, 'utf8'), version))
  const why = `The changes since the version before get the number ${version}, under which images and charts are published.`
  await git('Committing', 'commit', '--quiet', '--all', '-m', `release: ${version}`, '-m', why)
  await git('Tagging', 'tag', '--annotate', `v${version}`, '-m', `Filmgate ${version}`)
  return { commit: await git('Reading the commit', 'rev-parse', 'HEAD'), notes, existed: false }
}
