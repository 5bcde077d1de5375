import { Command } from 'commander'
import packageFile from '../package.json' with { type: 'json' }
import { addAccount } from './commands/account'
import { addCompletion } from './commands/completion'
import { addGenerate } from './commands/generate'
import { addModels } from './commands/models'
import { type GlobalOptions, runWith } from './commands/run'
import { addSignIn } from './commands/sign-in'
import { addTasks } from './commands/tasks'
import { addWebhooks } from './commands/webhooks'
import type { Session } from './session'

const help = `
Start:  filmgate login --url https://gateway.example.com/api/v1
        filmgate generate "A paper boat on a rainy street" -m alpha-h3 -o boat.mp4

Settings: FILMGATE_API_KEY and FILMGATE_URL go before what \`filmgate login\` stored. NO_COLOR turns colours off.
Exit codes: 0 done, 1 failed, 2 wrong usage or request, 3 too few credits or too small a budget, 4 no or a wrong key,
            5 not known yet (the task may go on), 130 interrupted.`

/** All commands. `open` makes the session of the one that runs. Throws instead of ending the process. */
export function createProgram(open: (options: GlobalOptions) => Session): Command {
  const program = new Command('filmgate')
    .description('Make videos with Filmgate.')
    .version(packageFile.version)
    .option('--json', 'the result as JSON on stdout: one document, or a line each where more follow')
    .option('--url <url>', 'the address of the API, which ends in /api/v1 (FILMGATE_URL)')
    .option('--key <key>', 'the API key; other users of this machine may see it here, FILMGATE_API_KEY is safer')
    .addHelpText('after', help)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Try --help.')
    .exitOverride()
  const run = runWith(open)
  addSignIn(program, run)
  addModels(program, run)
  addGenerate(program, run)
  addTasks(program, run)
  addAccount(program, run)
  addWebhooks(program, run)
  addCompletion(program, run)
  return program
}
