import { expect, test } from 'bun:test'
import { releaseChangelog, releaseUpgrading, requireVersion, sectionOf, versionsIn } from './notes'

const changelog =
  '# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.9.0 - 2026-01-01\n\n- Older.\n\n## 0.10.0\n\n- Odd.\n'

test('a version is semver that a tag of an image can hold', () => {
  for (const version of ['0.1.0', '1.20.3', '1.0.0-rc.1', '1.0.0-alpha-2']) expect(() => requireVersion(version)).not.toThrow()
  for (const version of ['v1.0.0', '1.0', '1.0.0+build', '01.0.0', '1.0.0-01', '1.0.0-', '', '1.0.0 '])
    expect(() => requireVersion(version)).toThrow('is no version')
})

test('Unreleased becomes the section of the version, and an empty one stands above it', () => {
  const released = releaseChangelog(changelog, '0.11.0', '2026-11-27')
  expect(sectionOf(released, 'Unreleased')).toBe('')
  expect(sectionOf(released, '0.11.0')).toBe('### Added\n\n- A thing.')
  expect(sectionOf(released, '0.9.0')).toBe('- Older.')
  expect(versionsIn(released)).toEqual(['0.11.0', '0.10.0', '0.9.0'])
  expect(released).toContain('## Unreleased\n\n## 0.11.0 - 2026-11-27\n\n### Added')
})

test('a version that exists or is older, and a release of nothing, are refused', () => {
  for (const version of ['0.10.0', '0.9.0', '0.9.5', '0.10.0-rc.1'])
    expect(() => releaseChangelog(changelog, version, '2026-11-27')).toThrow('must be later')
  const released = releaseChangelog(changelog, '0.11.0', '2026-11-27')
  expect(() => releaseChangelog(released, '0.12.0', '2026-11-28')).toThrow('nothing to release')
  expect(() => releaseChangelog(changelog.replace('- A thing.\n', ''), '0.11.0', '2026-11-27')).toThrow('nothing to release')
})

test('the steps of an upgrade move with it; where there are none, there is no section', () => {
  const upgrading = '# Upgrading\n\n- To be dropped after *Unreleased*: a table.\n\n## Unreleased\n\n1. Rename it.\n\n## 0.10.0\n\nNone.\n'
  const released = releaseUpgrading(upgrading, '0.11.0')
  expect(released).toContain('after *0.11.0*: a table')
  expect(sectionOf(released, '0.11.0')).toBe('1. Rename it.')
  expect(releaseUpgrading(released, '0.12.0')).toBe(released)
})
