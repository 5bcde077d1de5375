/** Source files by their paths from the root, such as `services/ledger/src/app.ts`. */
export type Sources = ReadonlyMap<string, string>

/** The files permitted directly in src/ and their exports. A service omits those that it doesn't need. */
const roles: Record<string, string[]> = {
  main: [],
  app: ['createApp'],
  config: ['readConfig', 'Config'],
  errors: [],
  consumers: ['startConsumers'],
  workers: ['startWorkers'],
  migrate: [],
}

const requiredRoles = ['main', 'app', 'config', 'errors']
const workerFunctions = ['startJobWorker', 'planJobs', 'every']
const kitImport = /^import\s+\{([^}]*)\}\s+from\s+'@filmgate\/kit\/[^']*'/gm
const ownImport = /^(?:import|export)\s[^'"]*?from\s+'(\.\.?\/[^']+)'/gm

/** Differences of services from the common skeleton. */
export function skeletonFaults(sources: Sources): string[] {
  const services = new Set([...sources.keys()].flatMap(file => /^services\/([^/]+)\/src\//.exec(file)?.[1] ?? []))
  services.delete('kit')
  return [...services].sort().flatMap(service => [...topFaults(service, sources), ...placeFaults(service, sources)])
}

function topFaults(service: string, sources: Sources): string[] {
  const src = `services/${service}/src/`
  const top = [...sources.keys()]
    .filter(file => file.startsWith(src) && !file.slice(src.length).includes('/'))
    .map(file => file.slice(src.length))
  const known = new Set([...Object.keys(roles), ...commandsOf(service, sources)].flatMap(role => [`${role}.ts`, `${role}.test.ts`]))
  const unexpected = top
    .filter(file => !known.has(file))
    .map(file => `${src}${file}: has no place directly in src/, move it to a folder named for its noun`)
  const missing = requiredRoles.filter(role => !top.includes(`${role}.ts`)).map(role => `${src}${role}.ts: is missing`)
  const missingExports = Object.entries(roles).flatMap(([role, names]) => {
    const text = sources.get(`${src}${role}.ts`)
    return text === undefined ? [] : names.filter(name => !isExported(name, text)).map(name => `${src}${role}.ts: exports no ${name}`)
  })
  const migrates = [...sources.keys()].some(file => file.startsWith(`services/${service}/migrations/`))
  const migrate = migrates === top.includes('migrate.ts') ? [] : [`${src}migrate.ts: is there exactly where the service has migrations/`]
  return [...unexpected, ...missing, ...missingExports, ...migrate]
}

/** Other programs that the Dockerfile bundles from src/, such as an audit. */
const commandsOf = (service: string, sources: Sources): string[] =>
  [...(sources.get('Dockerfile') ?? '').matchAll(new RegExp(`services/${service}/src/([a-z-]+)\\.ts\\b`, 'g'))].map(([, name = '']) => name)

const isExported = (name: string, text: string): boolean => new RegExp(`^export (async )?(function|const|type) ${name}\\b`, 'm').test(text)

/**
 * Kafka is consumed in consumers.ts or a `follow-….ts` that it imports. Periodic work and jobs start in workers.ts
 * or a `start-….ts` that it imports.
 */
function placeFaults(service: string, sources: Sources): string[] {
  const src = `services/${service}/src/`
  const consumerFiles = new Set([
    `${src}consumers.ts`,
    ...importedBy(`${src}consumers.ts`, sources).filter(file => /\/follow-[^/]+\.ts$/.test(file)),
  ])
  const workerFiles = new Set([
    `${src}workers.ts`,
    ...importedBy(`${src}workers.ts`, sources).filter(file => /\/start-[^/]+\.ts$/.test(file)),
  ])
  return [...sources]
    .filter(([file]) => file.startsWith(src) && file.endsWith('.ts') && !/\.test\.ts$|\/testing(\.ts|\/)/.test(file))
    .flatMap(([file, text]) => [
      ...(/\bbus\.consume\b/.test(text) && !consumerFiles.has(file) ? [`${file}: reads from Kafka outside consumers.ts`] : []),
      ...namesOfKit(text)
        .filter(name => workerFunctions.includes(name) && !workerFiles.has(file))
        .map(name => `${file}: uses ${name} outside workers.ts`),
    ])
}

const namesOfKit = (text: string): string[] =>
  [...text.matchAll(kitImport)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => !name.startsWith('type ')),
  )

function importedBy(file: string, sources: Sources): string[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  return [...(sources.get(file) ?? '').matchAll(ownImport)].map(([, path = '']) => `${folder}${path.replace(/^\.\//, '')}.ts`)
}
