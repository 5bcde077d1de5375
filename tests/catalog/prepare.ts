import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of cards and a price file for the suite to change while the stack runs. */
export default function prepare(folder: string): Record<string, string> {
  const cards = join(folder, 'cards')
  const prices = join(folder, 'prices.yaml')
  rmSync(cards, { recursive: true, force: true })
  mkdirSync(cards, { recursive: true })
  writeFileSync(prices, "version: 'suite-1'\n")
  return { FILMGATE_CARDS_DIR: cards, FILMGATE_PRICES_FILE: prices }
}
