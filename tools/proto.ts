import { buf, bufEnv, releasedImage } from './verify/proto'
import { runCommand } from './verify/step'

const usage = `Usage: bun run proto            generate proto/gen again
       bun run proto release    make today's messages the ones that later changes must stay compatible with`

const commands: Record<string, string[] | undefined> = {
  generate: buf('generate'),
  release: buf('build', '--as-file-descriptor-set', '-o', releasedImage),
}

const command = commands[process.argv[2] ?? 'generate']
if (!command) {
  console.log(usage)
  process.exit(process.argv[2] === '--help' ? 0 : 1)
}
const { ok, output } = await runCommand(command, { cwd: 'proto', env: bufEnv })
if (output) console.log(output)
process.exit(ok ? 0 : 1)
