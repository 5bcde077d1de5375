import { InvalidArgumentError, Option } from 'commander'
import { microUsdOf } from '../print/money'
import { readTime } from './read-time'

export const wholeNumber = (value: string): number => {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(value)
}

export const usdAmount = (value: string): number => {
  const microUsd = microUsdOf(value)
  if (microUsd === undefined || microUsd < 0) throw new InvalidArgumentError('It must be US dollars, like 0.01.')
  return microUsd
}

/** In UTC to the millisecond, as the services want it. */
export const isoTime = (value: string): string => {
  const time = readTime(value)
  if (time === undefined) throw new InvalidArgumentError('It must be a time of ISO 8601: 2026-11-21, or 2026-11-21T08:30:00Z.')
  return time
}

export const pageLength = () => new Option('--limit <n>', 'rows of the page, at most 500').argParser(wholeNumber).default(50)
export const pageStart = () => new Option('--cursor <text>', 'go on after a page: the next_cursor that it ended with')
