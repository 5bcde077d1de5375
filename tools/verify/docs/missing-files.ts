import { posix } from 'node:path'

const topFolders = /^(services|tests|tools|charts|docs|proto|k8s|patches)\//
const path = /(?<![\w./<>{}$:*-])(?:[\w.@-]+\/)+[\w.@*-]*[\w*](?:\/(?![\w<…]))?/g
const link = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g
const ending = /\.(ts|js|cjs|sql|ya?ml|json|sh|py|proto|go|md|tpl|lua|env|patch|mod)$/

/** Files and folders that a document names but that don't exist. */
export function missingFiles(document: string, text: string, files: ReadonlySet<string>): string[] {
  const known = withFolders(files)
  const withoutCode = text.replaceAll(/```[\s\S]*?```/g, block => block.replaceAll(/[^\n]/g, ' '))
  return withoutCode.split('\n').flatMap((line, index) => {
    // `/docs/…` and `{{console}}` are addresses of the reference's hosts, which its own tests follow.
    const links = [...line.matchAll(link)].map(([, target = '']) => target).filter(target => !/^([a-z]+:|\/|\{\{)/.test(target))
    const gone = links.filter(target => !known.has(posix.normalize(posix.join(posix.dirname(document), target)).replace(/\/$/, '')))
    const named = [...line.replaceAll(link, ']').matchAll(path)]
      .map(([name]) => name)
      .filter(name => topFolders.test(name) || ending.test(name))
    return [...new Set([...gone, ...named.filter(name => !exists(name, document, files, known))])].map(
      name => `${document}:${index + 1}: ${name} is not there`,
    )
  })
}

function withFolders(files: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(files)
  for (const file of files) for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) known.add(folder)
  return known
}

/**
 * Accepts paths from the root, from the document's folder, or the end of one: READMEs omit `services/<name>`,
 * decisions also `src`.
 */
function exists(name: string, document: string, files: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  const bare = name.replace(/\/$/, '')
  if (bare.startsWith('.') || /^(node_modules|dist)\//.test(bare)) return true
  const beside = posix.normalize(posix.join(posix.dirname(document), bare))
  const candidates = [
    bare,
    beside,
    `services/${bare}`,
    bare.replace(/^(kit|gateway|console|ledger|catalog|media-probe|dispatcher|simulator|webhooks)\//, 'services/$1/src/'),
  ]
  if (/^docs\/decisions\/\d{4}$/.test(bare)) return [...files].some(file => file.startsWith(`${bare}-`))
  if (bare.includes('*')) return candidates.some(one => [...known].some(file => new Bun.Glob(one).match(file)))
  if (candidates.some(one => known.has(one) || known.has(`${one}.ts`) || known.has(`${one}.test.ts`))) return true
  return !topFolders.test(name) && [...files].some(file => file.endsWith(`/${bare}`))
}
