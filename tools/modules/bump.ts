import { dirname } from 'node:path'
import { StackFault } from '../stack/fault'
import { mustRun } from '../stack/fetch/run'
import { describeMissing, missingPins, servedVersions } from './missing-pins'
import { type Pin, pinsOf } from './pins-of'
import { newestCommonPatch, withPatch } from './versions'

/** Modules that are released together with the same patch version. */
const families: Record<string, (pin: Pin, all: Pin[]) => boolean> = {
  // Kubernetes 1.M.P and its staging modules 0.M.P; klog, kube-openapi and utils have other versions.
  kubernetes: ({ path, version }, all) => {
    const [, minor = '', patch = ''] = all.find(one => one.path === 'k8s.io/kubernetes')?.version.split('.') ?? []
    return path.startsWith('k8s.io/') && [`v0.${minor}.${patch}`, `v1.${minor}.${patch}`].includes(version)
  },
  etcd: ({ path }) => path.startsWith('go.etcd.io/etcd/'),
}

export const familyNames = Object.keys(families)

/**
 * Updates a family in a go.mod to the newest patch that is served for all its modules, with its sums.
 * Returns the versions, or undefined if there is none newer.
 */
export async function bump(go: string, family: string, modFile: string): Promise<{ from: string; to: string } | undefined> {
  const belongs = families[family]
  if (!belongs) throw new StackFault(`There is no family ${family}; there are: ${familyNames.join(', ')}`)
  const text = await Bun.file(modFile).text()
  const pins = pinsOf(text)
  const members = pins.filter(pin => belongs(pin, pins))
  const served = await servedVersions(
    go,
    members.map(({ path }) => path),
  )
  const patch = newestCommonPatch(members.map(({ path, version }) => ({ version, served: served.get(path) ?? [] })))
  const from = members[0]?.version ?? ''
  if (patch === undefined) throw new StackFault(`No patch of ${family} ${from} is served by all of its ${members.length} modules.`)
  const bumped = members.map(({ path, version }) => ({ path, version: withPatch(version, patch) }))
  if (bumped.every(({ version }, place) => version === members[place]?.version)) return undefined
  const missing = await missingPins(go, bumped)
  if (missing.length > 0) throw new StackFault(missing.map(describeMissing).join('\n'))
  let written = text
  for (const { path, version } of members)
    written = written.replaceAll(
      new RegExp(`(\\b${path.replaceAll('.', '\\.')} )${version.replaceAll('.', '\\.')}(?![\\w.-])`, 'g'),
      `$1${withPatch(version, patch)}`,
    )
  await Bun.write(modFile, written)
  // Loading all packages adds the new sums.
  await mustRun('Reading the new versions', [go, 'list', '-mod=mod', '-deps', '.'], { cwd: dirname(modFile) })
  return { from, to: withPatch(from, patch) }
}
