import { join } from 'node:path'
import { mustRun } from '../stack/fetch/run'
import { root } from '../stack/instance'
import type { ImageName } from './image-name'

type Component = { type: 'library' | 'application'; name: string; version: string; purl: string }
type Lock = { workspaces: Record<string, Workspace>; packages: Record<string, [string, ...unknown[]]> }
type Workspace = { name: string } & Dependencies
type Dependencies = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

/** Writes a CycloneDX 1.6 SBOM: the service's npm dependencies, the image's Debian packages, and Bun. */
export async function writeSbom(image: { name: ImageName; reference: string; archive: string; file: string }): Promise<number> {
  const components = [...(await npmComponents(image.name)), ...(await debianComponents(image.archive)), bunComponent()]
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'container', name: image.reference.split(':')[0], version: image.reference.split(':')[1] } },
    components,
  }
  await Bun.write(image.file, `${JSON.stringify(sbom, null, 2)}\n`)
  return components.length
}

const bunComponent = (): Component => ({ type: 'application', name: 'bun', version: Bun.version, purl: `pkg:npm/bun@${Bun.version}` })

async function npmComponents(service: ImageName): Promise<Component[]> {
  // The lockfile is JSON with trailing commas.
  const lock = Bun.JSONC.parse(await Bun.file(join(root, 'bun.lock')).text()) as Lock
  const workspaces = new Map(Object.values(lock.workspaces).map(workspace => [workspace.name, workspace]))
  const found = new Map<string, Component>()
  const seen = new Set<string>()
  /** `from`: the parent key, under which a nested version precedes the hoisted one. */
  const visit = ({ dependencies = {}, optionalDependencies = {} }: Dependencies, from: string) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const workspace = workspaces.get(name)
      if (workspace) {
        if (!seen.has(name)) {
          seen.add(name)
          visit(workspace, '')
        }
        continue
      }
      const key = lock.packages[`${from}/${name}`] ? `${from}/${name}` : name
      const entry = lock.packages[key]
      if (!entry || seen.has(key)) continue
      seen.add(key)
      const version = entry[0].slice(entry[0].lastIndexOf('@') + 1)
      found.set(`${name}@${version}`, { type: 'library', name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` })
      visit(entry.find((part): part is Dependencies => typeof part === 'object' && part !== null && !Array.isArray(part)) ?? {}, key)
    }
  }
  // The bundle of ops has a part of what its workspace names.
  visit(workspaces.get(`@filmgate/${service === 'ops' ? 'tools' : service}`) ?? {}, '')
  return [...found.values()].sort((a, b) => a.purl.localeCompare(b.purl))
}

/** Reads dpkg's records from the image: one file in full Debian, one per package in distroless. */
async function debianComponents(archive: string): Promise<Component[]> {
  const records = await mustRun('Reading the image', ['python3', '-c', readDpkg, archive])
  const field = (record: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(record)?.[1]
  return records.split('\n\n').flatMap(record => {
    const [name, version] = [field(record, 'Package'), field(record, 'Version')]
    return name && version
      ? [{ type: 'library' as const, name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}` }]
      : []
  })
}

const readDpkg = `
import io, json, sys, tarfile
records = {}
with tarfile.open(sys.argv[1]) as image:
    for layer in json.load(image.extractfile('manifest.json'))[0]['Layers']:
        with tarfile.open(fileobj=io.BytesIO(image.extractfile(layer).read())) as files:
            for file in files:
                name = file.name.removeprefix('./')
                if file.isfile() and (name == 'var/lib/dpkg/status' or name.startswith('var/lib/dpkg/status.d/')):
                    records[name] = files.extractfile(file).read().decode()
print('\\n\\n'.join(records.values()))
`
