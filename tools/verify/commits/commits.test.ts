import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../stack/fetch/run'
import { messageFaults, readCommits } from './commits'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-commits-'))
afterAll(() => rmSync(dir, { recursive: true }))

async function git(cwd: string, ...words: string[]): Promise<string> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  const { code, output } = await run(['git', ...who, ...words], { cwd })
  if (code !== 0) throw new Error(output)
  return output
}
const commit = (cwd: string, ...messages: string[]) => git(cwd, 'commit', '-q', '--allow-empty', ...messages.flatMap(text => ['-m', text]))

test('a message without an area, with a long subject or without a reason is reported', () => {
  const why = 'Because.\n'
  const faultOf = (subject: string, body = why) =>
    messageFaults([{ hash: 'abc', subject, body }]).map(fault => fault.slice(`abc ${subject}: `.length))
  expect(faultOf('ledger: a debit is never below zero')).toEqual([])
  expect(faultOf('gateway, tools/ops, catalog suite: keys are listed')).toEqual([])
  for (const subject of ['Merge the last mends', 'ledger:', 'ledger:no space', ': what', 'all of these words: what'])
    expect([subject, faultOf(subject)]).toEqual([subject, ['the subject is not `area: what`']])
  expect(faultOf(`ledger: ${'é'.repeat(64)}`)).toEqual([])
  expect(faultOf(`ledger: ${'é'.repeat(65)}`)).toEqual(['the subject has 73 characters, at most 72 are read'])
  for (const body of ['', ' \n', 'Co-authored-by: Ada <ada@example.com>\n', 'Signed-off-by: Ada\nChange-Id: I1\n'])
    expect([body, faultOf('ledger: x', body)]).toEqual([body, ['the body does not say why']])
})

test('only non-merge commits after the base are read', async () => {
  const repository = join(dir, 'whole')
  await git(dir, 'init', '-q', '-b', 'main', repository)
  await commit(repository, 'Old ways')
  const base = await git(repository, 'rev-parse', 'HEAD')
  await git(repository, 'checkout', '-q', '-b', 'side')
  await commit(repository, 'ledger: one', 'Its reason.', 'And more.')
  await git(repository, 'checkout', '-q', 'main')
  await commit(repository, 'Two')
  await git(repository, 'merge', '-q', '--no-ff', '-m', 'Merge one', 'side')
  const commits = await readCommits(base, repository)
  expect(Array.isArray(commits) && commits.map(({ subject, body }) => [subject, body]).sort()).toEqual([
    ['Two', ''],
    ['ledger: one', 'Its reason.\n\nAnd more.\n'],
  ])

  await git(dir, 'clone', '-q', '--depth', '1', `file://${repository}`, join(dir, 'shallow'))
  expect(await readCommits(base, join(dir, 'shallow'))).toEqual({ unreadable: 'the clone is shallow' })
  expect(await readCommits('f'.repeat(40), repository)).toEqual({
    unreadable: 'ffffffff, the base of the message check, is not in this history',
  })
  expect(await readCommits(base, dir)).toEqual({
    unreadable: expect.stringContaining("the history can't be read: fatal: not a git repository"),
  })
})
