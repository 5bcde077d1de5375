import { StackFault } from '../stack/fault'

const unreleased = '## Unreleased'

/** A version as OCI tags can hold it: semver without build metadata, and without a `v`. */
const versionForm =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*)?$/

export function requireVersion(version: string): void {
  if (!versionForm.test(version)) throw new StackFault(`"${version}" is no version: write it as 1.2.3 or 1.2.3-rc.1 (semver, without a v).`)
}

/** The versions that have a section, newest first. */
export const versionsIn = (changelog: string): string[] =>
  [...changelog.matchAll(/^## (\d\S*)/gm)].map(([, version = '']) => version).toSorted((a, b) => Bun.semver.order(b, a))

/** The text of a section, without its heading; undefined if there is none. `name`: a version, or `Unreleased`. */
export function sectionOf(changelog: string, name: string): string | undefined {
  const sections = changelog.split(/^(?=## )/m)
  const heading = new RegExp(`^## ${RegExp.escape(name)}(?=\\s)(?: - [\\d-]+)?\\n`)
  return sections
    .find(section => heading.test(section))
    ?.replace(heading, '')
    .trim()
}

/** The changelog with *Unreleased* as the section of a version, under a new and empty *Unreleased*. `day`: YYYY-MM-DD. */
export function releaseChangelog(changelog: string, version: string, day: string): string {
  requireVersion(version)
  const [newest] = versionsIn(changelog)
  if (newest !== undefined && Bun.semver.order(version, newest) <= 0)
    throw new StackFault(`CHANGELOG.md has ${newest} already: ${version} must be later.`)
  const lines = (sectionOf(changelog, 'Unreleased') ?? '').split('\n').filter(line => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 0) throw new StackFault('*Unreleased* in CHANGELOG.md is empty: there is nothing to release.')
  return changelog.replace(`${unreleased}\n`, `${unreleased}\n\n## ${version} - ${day}\n`)
}

/** UPGRADING.md likewise. A version without steps of its own gets no section. */
export function releaseUpgrading(upgrading: string, version: string): string {
  const named = upgrading.replaceAll('*Unreleased*', `*${version}*`)
  if (!sectionOf(upgrading, 'Unreleased')) return named
  return named.replace(`${unreleased}\n`, `${unreleased}\n\n## ${version}\n`)
}
