import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { asRequest } from '../generation/as-request'
import { type GenerateOptions, generate } from '../generation/generate'
import { priceWords, requestWords } from '../generation/price'
import { forget, resume } from '../generation/resume'
import { withDurations, withStandIns } from '../request/media'
import { type RequestOptions, readRequest } from '../request/read-request'
import { connect, type Session } from '../session'
import { usageFailure } from '../terminal/failure'
import { type Run, repeated, repeatedNumber, wholeNumber } from './run'

const generateHelp = `
The price is shown first and asked about. Without a terminal, say --yes or --max-credits. You never pay more than the
price that was shown, or --max-credits.
Local files are uploaded; https URLs are passed on. Ctrl-C leaves a task running and says how to go on with it.

  filmgate generate "A paper boat on a rainy street" -m alpha-h3 -o boat.mp4
  filmgate generate "It sails away" -m alpha-h3 --image boat.jpg --duration 6 -o sails.mp4`

export function addGenerate(program: Command, run: Run): void {
  const generateCommand = program
    .command('generate')
    .description('make a video')
    .argument('[prompt]', 'what it shows; - reads it from stdin')
    .addHelpText('after', generateHelp)
  requestOptions(generateCommand)
    .option('-o, --output <file>', 'save the video there; a folder takes it under the id of its task')
    .option('--force', 'replace the file')
    .option('-y, --yes', 'take the price without a question')
    .option('--max-credits <n>', 'take any price up to this without a question', wholeNumber(1))
    .option('--tag <name=value>', 'mark the task for your own books (repeatable)', repeated)
    .option('--cancel-after <seconds>', 'cancel the task if it is not done by then', wholeNumber(1))
    .option('--no-wait', 'print the id of the task and end')
    .addOption(new Option('--resume [task]', 'go on with what earlier calls left, or with that one').conflicts(['forget', 'wait']))
    .option('--forget [task]', 'forget what earlier calls left, or that one; it cancels nothing')
    .action(run(runGenerate))
  requestOptions(
    program.command('estimate').description('what a video would cost; nothing is made or charged').argument('[prompt]', 'what it shows'),
  )
    .addHelpText('after', '\nFiles are not uploaded.')
    .action(run(estimate))
}

const requestOptions = (command: Command): Command =>
  command
    .option('-m, --model <id>', 'the model; `filmgate models` lists them')
    .option('--mode <mode>', 'text-to-video, image-to-video or media-to-video; follows from the files if left out')
    .option('--image <file>', 'the first frame: a file or an https URL')
    .option('--end-image <file>', 'the last frame')
    .option('--reference-image <file>', 'a picture to go by (repeatable)', repeated)
    .option('--reference-video <file>', 'a video to go by (repeatable)', repeated)
    .option('--reference-video-duration <seconds>', 'how long that video is; read from local files (repeatable)', repeatedNumber)
    .option('--reference-audio <file>', 'a sound to go by (repeatable)', repeated)
    .option('--reference-audio-duration <seconds>', 'how long that sound is; read from local files (repeatable)', repeatedNumber)
    .option('--duration <seconds>', 'how long the video is', wholeNumber(1))
    .option('--resolution <resolution>', 'such as 768p')
    .option('--aspect-ratio <ratio>', 'such as 16:9')
    .option('--seed <n>', 'the same seed gives a similar video', wholeNumber(-1))
    .option('--generate-audio', 'with sound')
    .option('--no-generate-audio', 'without sound')
    .option('--watermark', 'with a watermark')
    .option('--field <name=value>', 'any other field of the request (repeatable)', repeated)

type Options = GenerateOptions & { resume?: boolean | string; forget?: boolean | string }

async function runGenerate(session: Session, prompt: string | undefined, options: Options): Promise<void> {
  if (options.forget) return forget(session, nameIn(options.forget))
  if (options.resume && prompt === undefined) return resume(session, options, nameIn(options.resume))
  if (options.resume) throw usageFailure('--resume takes no prompt: it sends what the earlier call sent.')
  return generate(session, await readPrompt(prompt), withModel(options))
}

/** `true` is the option by itself. */
const nameIn = (option: boolean | string): string | undefined => (typeof option === 'string' ? option : undefined)

async function estimate(session: Session, prompt: string | undefined, options: RequestOptions): Promise<void> {
  const { terminal, signal } = session
  const body = await withDurations(readRequest(await readPrompt(prompt), withModel(options)))
  const { filmgate } = await connect(session)
  const estimate = await filmgate.estimate(asRequest(withStandIns(body)), { signal })
  terminal.printJson(estimate)
  terminal.print(requestWords(estimate))
  terminal.print(priceWords(estimate))
  if (!estimate.available) terminal.note('No provider of this model is configured here.')
  if (!estimate.sufficient_credits) terminal.note(`You have ${estimate.available_credits} credits, which is less.`)
}

async function readPrompt(prompt: string | undefined): Promise<string> {
  const read = prompt === '-' ? (await text(process.stdin)).trim() : prompt
  if (read) return read
  throw usageFailure('What does the video show?', 'As in: filmgate generate "A paper boat on a rainy street" -m alpha-h3')
}

function withModel<Given extends RequestOptions>(options: Given): Given {
  if (options.model === undefined) throw usageFailure('Which model?', 'Say it by -m, such as -m alpha-h3. `filmgate models` lists them.')
  return options
}
