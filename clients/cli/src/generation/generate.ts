import { randomUUID } from 'node:crypto'
import type { Filmgate } from '@filmgate/client'
import { checkFiles, withDurations, withStandIns, withUploads } from '../request/media'
import { checkOutput } from '../request/output-file'
import { type RequestOptions, readRequest, readTags } from '../request/read-request'
import { connect, type Session } from '../session'
import { forgetPending } from '../state/pending-generation'
import { thisProcess } from '../state/process-start'
import { exitCodes, Failure } from '../terminal/failure'
import { asRequest } from './as-request'
import { createPending } from './create-pending'
import { follow } from './follow'
import { agreeOnPrice, type Consent } from './price'
import { tellOfPending } from './resume'

export type GenerateOptions = RequestOptions &
  Consent & { output?: string; force?: boolean; tag?: string[]; cancelAfter?: number; wait?: boolean }

/** Makes a video: checks what can be checked here, asks the price, uploads, creates the task once, and follows it. */
export async function generate(session: Session, prompt: string, options: GenerateOptions): Promise<void> {
  const { terminal, signal, onInterrupt } = session
  onInterrupt(nothingMade)
  const tags = readTags(options.tag)
  const body = readRequest(prompt, options)
  await checkFiles(body)
  const output = options.output === undefined ? undefined : await checkOutput(options.output, options)
  const request = await withDurations(body)
  const { filmgate, settings } = await connect(session)
  await tellOfPending(session)
  const [estimate, key] = await Promise.all([filmgate.estimate(asRequest(withStandIns(request))), filmgate.key()])
  const maxCredits = await agreeOnPrice(terminal, estimate, options, signal)
  const uploaded = await withUploads(request, path => upload(session, filmgate, path))
  const pending = {
    idempotencyKey: `cli-${randomUUID()}`,
    url: settings.url,
    keyId: key.key_id,
    request: { ...uploaded, max_credits: maxCredits },
    ...(tags && { tags }),
    ...(options.cancelAfter !== undefined && { cancelAfterSeconds: options.cancelAfter }),
    ...(output && { output: output.path, force: output.force }),
    createdAt: new Date().toISOString(),
    ...thisProcess(),
  }
  const task = await createPending(session, filmgate, pending)
  if (options.wait === false) {
    await forgetPending(session.folders, pending.idempotencyKey)
    terminal.printJson(task)
    terminal.print(task.id)
    return
  }
  await follow(session, filmgate, task.id, output)
}

async function upload({ terminal }: Session, filmgate: Filmgate, path: string): Promise<string> {
  terminal.note(`uploading ${path}`)
  return filmgate.uploads.create(path)
}

const nothingMade = () => new Failure('Interrupted. Nothing was made or charged.', { exit: exitCodes.interrupted, code: 'interrupted' })
