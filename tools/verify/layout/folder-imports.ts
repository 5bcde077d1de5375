import { posix } from 'node:path'

/** The files that each file imports, from the root. */
export type Imports = ReadonlyMap<string, string[]>

const testFile = /\.test\.ts$|\/testing(\.ts|\/)/
const topFiles = ['main', 'app', 'consumers', 'workers', 'migrate']

/**
 * Import cycles between a service's folders, and imports of top-level files from folders.
 * A nested folder counts as its top folder.
 */
export function folderFaults(imports: Imports): string[] {
  const services = new Set([...imports.keys()].flatMap(file => /^services\/([^/]+)\/src\//.exec(file)?.[1] ?? []))
  return [...services].sort().flatMap(service => {
    const src = `services/${service}/src/`
    const own = [...imports].filter(([file]) => file.startsWith(src) && !testFile.test(file))
    return [...upwardImports(src, own), ...cycleFaults(src, own)]
  })
}

function upwardImports(src: string, own: [string, string[]][]): string[] {
  const above = new Set(topFiles.map(name => `${src}${name}.ts`))
  return own
    .filter(([file]) => posix.dirname(file) !== posix.normalize(src).slice(0, -1))
    .flatMap(([file, imported]) => imported.filter(other => above.has(other)).map(other => `${file} → ${other}: reaches up`))
}

function cycleFaults(src: string, own: [string, string[]][]): string[] {
  const folderOf = (file: string) => (file.startsWith(src) ? /^([^/]+)\//.exec(file.slice(src.length))?.[1] : undefined)
  const arrows = new Map<string, Map<string, string>>()
  for (const [file, imported] of own) {
    const from = folderOf(file)
    if (from === undefined) continue
    for (const other of imported) {
      const to = folderOf(other)
      if (to === undefined || to === from) continue
      const known = arrows.get(from) ?? arrows.set(from, new Map()).get(from)
      if (!known?.has(to)) known?.set(to, `${file} → ${other}`)
    }
  }
  return cyclesIn(arrows).map(path => {
    const steps = path.map((folder, index) => arrows.get(folder)?.get(path[(index + 1) % path.length] ?? '') ?? '')
    return `${src}: ${[...path, path[0]].join(' → ')}\n${steps.map(step => `    ${step}`).join('\n')}`
  })
}

/** The shortest cycle through each folder, each cycle once. */
function cyclesIn(arrows: Map<string, Map<string, string>>): string[][] {
  const found = new Map<string, string[]>()
  for (const start of [...arrows.keys()].sort()) {
    const path = shortestCycle(start, arrows)
    const name = path && [...path].sort().join()
    if (path && name && !found.has(name)) found.set(name, path)
  }
  return [...found.values()]
}

function shortestCycle(start: string, arrows: Map<string, Map<string, string>>): string[] | undefined {
  const queue = [[start]]
  const seen = new Set<string>()
  for (const path of queue) {
    for (const next of arrows.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return path
      if (!seen.has(next)) queue.push([...path, next])
      seen.add(next)
    }
  }
  return undefined
}
