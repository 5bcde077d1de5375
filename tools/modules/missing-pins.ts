import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StackFault } from '../stack/fault'
import { run } from '../stack/fetch/run'
import { nameOf, type Pin, pinsOf } from './pins-of'
import { nearestVersion } from './versions'

export type MissingPin = Pin & { nearest: string | undefined; reason: string }
type Listed = { Path: string; Version?: string; Versions?: string[]; Error?: { Err: string } }

const listTimeoutMs = 120_000

/** Pins that neither the module proxy nor this machine has. Requests only names, so it takes seconds. */
export async function missingPins(go: string, pins: Pin[]): Promise<MissingPin[]> {
  const listed = await goList(go, ['list', '-m', '-e', '-json', ...pins.map(nameOf)])
  const faults = pins.flatMap(pin => {
    const error = listed.find(({ Path, Version }) => Path === pin.path && (!Version || Version === pin.version))?.Error?.Err
    return error === undefined ? [] : [{ ...pin, error }]
  })
  if (faults.length === 0) return []
  const paths = [...new Set(faults.map(({ path }) => path))]
  const served = await servedVersions(go, paths)
  // For unreleased modules the proxy only names the latest commit.
  const unreleased = paths.filter(path => !served.get(path)?.length)
  const latest = unreleased.length ? await goList(go, ['list', '-m', '-e', '-json', ...unreleased.map(path => `${path}@latest`)]) : []
  return faults.map(({ error, ...pin }) => ({
    ...pin,
    nearest: nearestVersion(pin.version, served.get(pin.path) ?? []) ?? latest.find(one => one.Path === pin.path && !one.Error)?.Version,
    reason: error.replace(/^.*\.(info|mod|zip)"?: /s, '').replaceAll(/\s+/g, ' '),
  }))
}

export const missingPinsOf = async (go: string, goModFiles: string[]): Promise<MissingPin[]> =>
  missingPins(go, (await Promise.all(goModFiles.map(async file => pinsOf(await Bun.file(file).text())))).flat())

/** The released versions of each module, oldest first; pseudo-versions are not listed. */
export async function servedVersions(go: string, paths: string[]): Promise<Map<string, string[]>> {
  const listed = await goList(go, ['list', '-m', '-e', '-versions', '-json', ...paths])
  return new Map(listed.map(({ Path, Versions }) => [Path, Versions ?? []]))
}

export const describeMissing = ({ path, version, nearest, reason }: MissingPin): string =>
  `${path} ${version} is not served${nearest ? ` (nearest: ${nearest})` : ' (no release of it is)'}: ${reason}`

/** Runs outside of any module, so that only the given names are resolved. */
async function goList(go: string, args: string[]): Promise<Listed[]> {
  const empty = mkdtempSync(join(tmpdir(), 'filmgate-modules-'))
  try {
    const { code, output } = await run([go, ...args], { cwd: empty, timeoutMs: listTimeoutMs, env: { GOFLAGS: '-mod=mod', GOWORK: 'off' } })
    const objects = output.slice(output.indexOf('{'))
    if (code !== 0 || !objects.startsWith('{'))
      throw new StackFault(`go ${args.slice(0, 4).join(' ')} … ended with ${code}: ${output.slice(-500)}`)
    return JSON.parse(`[${objects.slice(0, objects.lastIndexOf('}') + 1).replaceAll(/^}\s*^{/gm, '},{')}]`)
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
}

type Downloaded = { Path: string; Version: string; Error?: string }

const downloadTimeoutMs = 900_000

/** Downloads all pins of a go.mod and reports those that the proxy lists but doesn't deliver unchanged. */
export async function downloadFaults(go: string, modFile: string): Promise<string[]> {
  const { code, output } = await run([go, 'mod', 'download', '-json'], { cwd: dirname(modFile), timeoutMs: downloadTimeoutMs })
  const faults = [...output.matchAll(/^\{.*?^\}/gms)].flatMap(([text]) => {
    const { Path, Version, Error: fault } = JSON.parse(text) as Downloaded
    return fault ? [`${Path} ${Version} is listed but not delivered: ${fault.replaceAll(/\s+/g, ' ').slice(-200)}`] : []
  })
  return faults.length > 0 || code === 0 ? faults : [`go mod download ended with ${code}: ${output.slice(-300)}`]
}
