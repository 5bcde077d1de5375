import { verbs } from './clients/verbs'

const usage = `Usage: bun run clients VERB [argument…]

${Object.entries(verbs)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

\`bun run clients VERB --help\` says more.`

const [name = '', ...words] = process.argv.slice(2)
const verb = verbs[name]
const help = words.includes('--help')
if (!verb || help) {
  console.log(verb ? verb.usage : usage)
  process.exit(help || name === '--help' ? 0 : 1)
}
await verb.run(words)
