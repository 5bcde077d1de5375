import { crdModules } from '@filmgate/tools/modules/crd-modules'
import { ensureGo } from '@filmgate/tools/modules/go'
import { describeMissing, downloadFaults, missingPins, missingPinsOf } from '@filmgate/tools/modules/missing-pins'
import { kubernetesVersion, nodeModFile, toolModFile } from '@filmgate/tools/modules/node-versions'
import { explain } from '@filmgate/tools/stack/fault'
import type { Requirement } from './report'

/** What a cluster of our own is made of: Go, a Kubernetes, and the parts that can't be had, with the reason. */
export type Had = { go: string; kubernetes: string; missing: Map<Requirement, string> }
/** Nothing where no cluster can be had; the notes say in any case what is missing. */
export type Preflight = { had: Had | undefined; notes: string[] }

/** Asks before anything is built whether every pin is served. Names take seconds; what is then fetched a build needs. */
export async function preflight(): Promise<Preflight> {
  const notes: string[] = []
  const go = await ensureGo().catch((error: unknown) => void notes.push(explain(error)))
  if (!go) return { had: undefined, notes }
  const lacks = async (what: string, modFile: string): Promise<boolean> => {
    const missing = (await missingPinsOf(go, [modFile])).map(describeMissing)
    const faults = missing.length > 0 ? missing : await downloadFaults(go, modFile)
    notes.push(...faults.map(words => `${what}: ${words}`))
    return faults.length > 0
  }
  if (await lacks('ingress', toolModFile('contour'))) return { had: undefined, notes }
  const kubernetes = await kubernetesVersion()
  if (await lacks(`Kubernetes ${kubernetes}`, nodeModFile)) return { had: undefined, notes }
  return { had: { go, kubernetes, missing: await missingParts(go) }, notes }
}

async function missingParts(go: string): Promise<Map<Requirement, string>> {
  const parts = new Map<Requirement, string>()
  const say = (part: Requirement, faults: string[]) => faults.length > 0 && parts.set(part, faults.join('; '))
  say('keda', (await missingPinsOf(go, [toolModFile('keda')])).map(describeMissing))
  say('custom kinds', (await missingPins(go, crdModules)).map(describeMissing))
  return parts
}
