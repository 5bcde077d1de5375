import { expect, test } from 'bun:test'
import { runbookFaults } from './runbook'

const known = {
  commands: new Set(['review list', 'audit']),
  resources: new Set(['deploy/filmgate-ledger']),
  textOf: () => "log.warn('refund not posted, stays pending')",
  tablesOf: () => 'create table reservation (',
}
const section = (block: string) => `### FilmgateSome\nSomething happened.\n\n\`\`\`sh\n${block}\n\`\`\`\n\n- It means that.\n\n## Other\n`

test('commands that exist pass', () => {
  const block = [
    'ops review list --provider fal    # which',
    'k rollout restart deploy/filmgate-ledger',
    "logs ledger 2h | grep -E 'refund not posted|stays (pending|open)'",
    'db ledger -c "select task_id\n  from reservation"',
  ].join('\n')
  expect(runbookFaults(section(block), known)).toEqual([])
})

test.each([
  ['ops review burn', 'ops has no review burn'],
  ['k get deploy filmgate-nobody', 'there is no deploy/filmgate-nobody'],
  ['k delete pod x', 'k delete is none of get, describe, logs, exec, top, rollout, scale, create, set'],
  ["logs ledger | grep 'refund lost'", 'no log line of ledger has: refund lost'],
  ['logs nobody', 'there is no service nobody'],
  ['db ledger -c "select 1 from entries"', 'ledger has no table entries'],
])('%s is a fault', (command, fault) => {
  expect(runbookFaults(section(command), known)).toEqual([`FilmgateSome: ${fault}`])
})

test('a section begins with its commands', () => {
  expect(runbookFaults('### FilmgateSome\nSomething.\n', known)).toEqual(['FilmgateSome has no commands'])
  const table = '### FilmgateSome\n| a | b |\n|---|---|\n\n```sh\nops audit\n```\n'
  expect(runbookFaults(table, known)).toEqual(['FilmgateSome begins with something else than its commands'])
})
