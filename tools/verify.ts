import { availableParallelism } from 'node:os'
import { changedFiles } from './test/changed'
import { endRunning, type Outcome, type Step } from './verify/step'
import { steps } from './verify/steps'

const usage = `Usage: bun run verify [--changed] [name…]

Every check that needs no server: ${steps.map(({ name }) => name).join(', ')}.
With names, only the checks whose name holds one of them. --changed looks only at what differs from the last commit, where a check
can: the loop while you work. Before a commit run them all.`

const outputLinesMax = 60

type Result = 'passed' | 'failed' | 'skipped'

async function check({ name, fix, run }: Step, changed: string[] | undefined): Promise<Result> {
  const began = performance.now()
  const { ok, output, skipReason }: Outcome = await run(changed).catch((error: Error) => ({
    ok: false,
    output: error.stack ?? error.message,
  }))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${ok ? (skipReason ? 'PARTLY' : '  ok  ') : 'FAILED'}  ${name} (${seconds} s)${skipReason ? `, left out: ${skipReason}` : ''}`,
  )
  if (!ok) console.log(`${output.split('\n').slice(0, outputLinesMax).join('\n')}\n        → ${fix}\n`)
  if (!ok) return 'failed'
  return skipReason ? 'skipped' : 'passed'
}

async function checkAll(chosen: Step[], changed: string[] | undefined): Promise<Result[]> {
  const waiting = [...chosen]
  const results: Result[] = []
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await check(next, changed))
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker))
  return results
}

const words = process.argv.slice(2)
const names = words.filter(word => !word.startsWith('-'))
const unknown = words.find(word => word.startsWith('-') && !['--help', '--changed'].includes(word))
if (unknown) {
  console.error(`There is no option ${unknown}.\n\n${usage}`)
  process.exit(1)
}
if (words.includes('--help')) {
  console.log(usage)
  process.exit(0)
}
const changed = words.includes('--changed') ? await changedFiles() : undefined
const concerned = ({ reads }: Step) => !changed || (reads ? changed.some(file => reads.test(file)) : changed.length > 0)
const named = names.length ? steps.filter(step => names.some(name => step.name.includes(name))) : steps
const chosen = named.filter(concerned)
if (named.length === 0) {
  console.error(`No check is called ${names.join(' or ')}.\n\n${usage}`)
  process.exit(1)
}
process.on('SIGINT', () => {
  endRunning()
  process.exit(130)
})
const results = await checkAll(chosen, changed)
const count = (result: Result) => results.filter(one => one === result).length
console.log(`${count('passed')} passed, ${count('failed')} failed${count('skipped') ? `, ${count('skipped')} skipped` : ''}`)
process.exit(count('failed') ? 1 : 0)
