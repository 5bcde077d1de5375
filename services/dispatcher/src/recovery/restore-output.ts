import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { copyFaultOf } from '../output/copy-fault'
import { type CopyDeps, copyOutput } from '../output/copy-output'
import type { Connector } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { findKeptOutput, type KeptOutput } from './kept-output-repository'

export type RestoreOutputDeps = Omit<CopyDeps, 'policy'> & {
  sql: Sql
  routing: Pick<Routing, 'connectorOf'>
  forbiddenRanges: CopyDeps['policy']['forbiddenRanges']
  userAgent: CopyDeps['policy']['userAgent']
}

/** Shorter than a request of `ops`. */
const restoreMsMax = 25_000

/**
 * Copies the output of a completed task from its provider once more, under its key, where the store has lost it. Nothing else changes. Returns
 * how many bytes were copied; 0 where the store has it.
 */
export async function restoreOutput(deps: RestoreOutputDeps, taskId: string): Promise<number> {
  const output = await findKeptOutput(deps.sql, taskId)
  if (!output) throw new Failure<Reason>('output_not_kept')
  if ((await deps.outputs.head(output.key))?.bytes === output.bytes) return 0
  const connector = deps.routing.connectorOf(output.provider)
  if (!connector) throw new Failure<Reason>('output_gone', { internal: `its provider ${output.provider} is not configured` })
  const signal = AbortSignal.timeout(restoreMsMax)
  const url = await urlOf(connector, output, signal)
  const { outputs, limits, publicRead, readMp4, forbiddenRanges, userAgent } = deps
  const { outputOrigins: trustedOrigins, outputCredential: credential } = connector
  const policy = { forbiddenRanges, userAgent, trustedOrigins, credential }
  const input = { url, key: output.key, fileName: `${taskId}.mp4`, signal }
  const copied = await copyOutput({ outputs, limits, publicRead, readMp4, policy }, input).catch(error => {
    const { kind, words } = copyFaultOf(error)
    throw new Failure<Reason>(kind === 'gone' ? 'output_gone' : 'output_not_copied', { details: { cause: words }, cause: error })
  })
  return copied.bytes
}

async function urlOf(connector: Connector, output: KeptOutput, signal: AbortSignal): Promise<string> {
  const { attemptId, providerTaskId, providerModel, echoed } = output
  const [answer] = await connector.poll([{ attemptId, providerTaskId, providerModel, echoed }], signal).catch(error => {
    throw new Failure<Reason>('provider_unavailable', { cause: error })
  })
  if (answer?.status === 'succeeded') return answer.outputUrl
  throw new Failure<Reason>('output_gone', { internal: `the provider says ${answer?.status ?? 'nothing'} of it` })
}
