import type { Environment } from '../config/folders'
import { plain } from './plain'

export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

/** Results go to stdout, words for people to stderr. With `json`, stdout has JSON alone. */
export type Terminal = {
  json: boolean
  /** Whether somebody can be asked. */
  canAsk: boolean
  /** Whether stderr is a terminal, on which a line can be drawn again. */
  canRedraw: boolean
  columns: number
  /** A line of the result for people; nothing with `json`. */
  print(text: string): void
  /** Text on stdout as it is, whatever --json says. */
  write(text: string): void
  /** The result for programs; nothing without `json`. Called again, it makes JSON lines. */
  printJson(value: unknown): void
  /** A line on stderr. */
  note(text: string): void
  /** Bytes on stderr, as they are. */
  draw(text: string): void
  /** Style of text on stdout, or on stderr. */
  style(style: Style, text: string, stream?: 'stdout' | 'stderr'): string
}

type Stream = { write(text: string): unknown; isTTY?: boolean; columns?: number }
export type Streams = { stdin: { isTTY?: boolean }; stdout: Stream; stderr: Stream }

const codes: Record<Style, [number, number]> = { bold: [1, 22], dim: [2, 22], green: [32, 39], red: [31, 39], yellow: [33, 39] }

export function createTerminal({ stdin, stdout, stderr }: Streams, environment: Environment, json: boolean): Terminal {
  const colours = !environment.NO_COLOR && environment.TERM !== 'dumb'
  return {
    json,
    canAsk: Boolean(stdin.isTTY && stderr.isTTY),
    canRedraw: Boolean(stderr.isTTY) && environment.TERM !== 'dumb',
    get columns() {
      return stderr.columns ?? 80
    },
    print: text => {
      if (!json) stdout.write(`${text}\n`)
    },
    write: text => {
      stdout.write(text)
    },
    printJson: value => {
      if (json) stdout.write(`${JSON.stringify(value)}\n`)
    },
    note: text => {
      stderr.write(`${text}\n`)
    },
    draw: text => {
      stderr.write(text)
    },
    style: (style, text, stream = 'stdout') => {
      const shown = colours && (stream === 'stdout' ? stdout : stderr).isTTY
      const [on, off] = codes[style]
      return shown ? `\u001b[${on}m${text}\u001b[${off}m` : text
    },
  }
}

/** Rows in columns of equal width, the last as long as it is. A cell's text is made plain. */
export function table(rows: unknown[][]): string {
  const cells = rows.map(row => row.map(cell => plain(cell ?? '-')))
  const widths = cells.reduce<number[]>((sofar, row) => row.map((cell, index) => Math.max(sofar[index] ?? 0, cell.length)), [])
  return cells
    .map(row =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
