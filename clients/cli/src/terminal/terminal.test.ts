import { expect, test } from 'bun:test'
import { csv } from '../commands/csv'
import { plain } from './plain'
import { bar } from './progress'
import { createTerminal, table } from './terminal'

function written(json: boolean, isTTY: boolean, environment: Record<string, string> = {}) {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const stream = (lines: string[]) => ({ isTTY, write: (text: string) => lines.push(text) })
  return {
    terminal: createTerminal({ stdin: { isTTY }, stdout: stream(stdout), stderr: stream(stderr) }, environment, json),
    stdout,
    stderr,
  }
}

test('with --json stdout has JSON alone; without, words alone', () => {
  for (const json of [true, false]) {
    const { terminal, stdout, stderr } = written(json, false)
    terminal.print('words')
    terminal.printJson({ id: 1 })
    terminal.note('told')
    expect([stdout.join(''), stderr.join('')]).toEqual([json ? '{"id":1}\n' : 'words\n', 'told\n'])
  }
})

test('there are colours on a terminal alone, and none with NO_COLOR or a dumb one', () => {
  expect(written(false, true).terminal.style('red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(written(false, false).terminal.style('red', 'x')).toBe('x')
  expect(written(false, true, { NO_COLOR: '1' }).terminal.style('red', 'x')).toBe('x')
  expect(written(false, true, { TERM: 'dumb' }).terminal.style('red', 'x')).toBe('x')
})

test('text of others can neither steer the terminal nor turn what is read', () => {
  expect(plain('a\u001b[2Jb\r\nc\u202ed\u2028')).toBe('a\ufffd[2Jb\ufffd\ufffdc\ufffdd\ufffd')
  expect(
    table([
      ['id', 'x'],
      ['a\u001b]0;title\u0007', null],
    ]),
  ).toBe('id           x\na\ufffd]0;title\ufffd  -')
})

test('a table has columns of one width, and a bar is full at 100', () => {
  expect(
    table([
      ['id', 'credits'],
      ['vt_12', 5],
    ]),
  ).toBe('id     credits\nvt_12  5')
  expect([bar(0), bar(50), bar(140)]).toEqual([
    `${'░'.repeat(20)} 0 %`,
    `${'█'.repeat(10)}${'░'.repeat(10)} 50 %`,
    `${'█'.repeat(20)} 100 %`,
  ])
})

test('CSV quotes what needs it, and makes no formula of a tag', () => {
  expect(
    csv([
      ['a', 'b'],
      ['x,"y"', -5],
      ['=1+1', null],
      [{ a: 1 }, 'z'],
    ]),
  ).toBe('a,b\r\n"x,""y""",-5\r\n\'=1+1,\r\n"{""a"":1}",z')
})
