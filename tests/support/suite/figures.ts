import { appendFileSync } from 'node:fs'

export type Figure = { name: string; value: number }

/** Adds to a figure of the suite's report; where no suite asks for figures it does nothing. */
export function addFigure(name: string, value = 1): void {
  const file = process.env.FILMGATE_FIGURES_FILE
  if (file) appendFileSync(file, `${JSON.stringify({ name, value } satisfies Figure)}\n`)
}
