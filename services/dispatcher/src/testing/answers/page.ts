import { join } from 'node:path'
import { refusedStatuses } from '../../providers/submit-by-call'
import { common, exceptions, meanings } from './expected'
import { rowNames } from './rows'

/** For operators: what a bad answer of a provider comes to. Written again by `bun services/dispatcher/src/testing/answers/page.ts --write`. */
export const pageFile = join(import.meta.dir, '../../../../../docs/provider-answers.md')

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const table = (head: string[], lines: string[][]) => [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')

/** A fake's pattern, as operators know its provider. */
const providerOf = ({ source }: RegExp) => source.replace(/[\^()]/g, '').replaceAll('|', ', ')

export function renderPage(): string {
  return `# What a provider's bad answers come to

This page is generated. \`bun run test services/dispatcher/src/providers/fakes/answers.test.ts\` gives each answer to each
call of each connector, and compares what comes of it with these tables. \`bun
services/dispatcher/src/testing/answers/page.ts --write\` writes the page again.

An error is in the provider's own form, with its own word for the fault. A page is HTML, as a CDN answers instead of the
provider. A *result* is the second call of a poll, at fal, Hailuo and Omni. Look-ups exist at Runware, Kling, Vidu, and
Ark with marked attempts. A provider's answer never ends a generation unless it is a verdict on that generation.

## Answers

${table(
  ['answer', 'submit', 'poll, result, look-up', 'output'],
  rowNames.map(name => [name, common[name].submit, common[name].poll, common[name].output]),
)}

## Exceptions

${table(
  ['provider', 'call', 'answer', 'comes to', 'because'],
  exceptions.map(one => [providerOf(one.fake), one.call, one.rows.join(', '), one.verdict, one.because]),
)}

## What it means

${table(
  ['comes to', 'the client reads', 'credits', 'ends'],
  Object.entries(meanings).map(([verdict, { client, held, ends }]) => [verdict, client, held, ends]),
)}

## Submits refused by their status

Where an answer has none of the provider's own words, its status decides. These are refused; everything else is unknown.

${table(
  ['status', 'body', 'because'],
  refusedStatuses.map(({ statuses, kinds, because }) => [statuses.join(', '), kinds.length === 3 ? 'any' : kinds.join(', '), because]),
)}
`
}

if (import.meta.main && process.argv.includes('--write')) await Bun.write(pageFile, renderPage())
