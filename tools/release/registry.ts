import { StackFault } from '../stack/fault'
import { commandFault, mustRun, run } from '../stack/fetch/run'
import type { Programs } from './programs'

/** A registry with a path, such as `ghcr.io/acme`, and how it is reached. */
export type Registry = Programs & { name: string; plainHttp: boolean }

const transferTimeoutMs = 1_800_000
const absent = /MANIFEST_UNKNOWN|NAME_UNKNOWN|\b404 Not Found/

export const imageRepository = ({ name }: Registry, image: string): string => `${name}/filmgate/${image}`
export const chartRepository = ({ name }: Registry, chart: string): string => `${name}/filmgate/charts/${chart}`

const craneOf = ({ crane, plainHttp }: Registry, words: string[]): string[] => [crane, ...words, ...(plainHttp ? ['--insecure'] : [])]

/** Runs crane; its output. */
export const crane = (registry: Registry, what: string, ...words: string[]): Promise<string> =>
  mustRun(what, craneOf(registry, words), { timeoutMs: transferTimeoutMs })

/** The digest of a tag, or undefined if the registry has no such tag. */
export async function digestOf(registry: Registry, reference: string): Promise<string | undefined> {
  const command = craneOf(registry, ['digest', reference])
  const { code, output } = await run(command)
  if (code === 0) return output.match(/sha256:[0-9a-f]{64}/)?.[0]
  if (absent.test(output)) return undefined
  throw commandFault(`Asking for ${reference}`, command, code, output)
}

/** The digest of a tag that was pushed just now. */
export async function pushedDigest(registry: Registry, reference: string): Promise<string> {
  const digest = await digestOf(registry, reference)
  if (digest === undefined) throw new StackFault(`${reference} was pushed, and the registry does not have it.`)
  return digest
}

type Manifest = { annotations?: Record<string, string>; manifests?: { digest: string }[] }

export const manifestOf = async (registry: Registry, reference: string): Promise<Manifest> =>
  JSON.parse(await crane(registry, `Reading ${reference}`, 'manifest', reference)) as Manifest

/** The labels of an image of one platform. */
export async function labelsOf(registry: Registry, reference: string): Promise<Record<string, string>> {
  const { config } = JSON.parse(await crane(registry, `Reading ${reference}`, 'config', reference)) as {
    config: { Labels?: Record<string, string> }
  }
  return config.Labels ?? {}
}

/** A version is published once: what is there under its tag must be of the same commit. */
export function requireCommit(reference: string, found: string | undefined, commit: string): void {
  if (found !== commit)
    throw new StackFault(`${reference} exists and is of ${found ?? 'an unknown commit'}, not of ${commit}: choose another version.`)
}
