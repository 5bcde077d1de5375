import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const scanner = new Bun.Transpiler({ loader: 'ts' })

/** The project's files that a file imports. */
export const importsOf = (file: string): string[] =>
  scanner
    .scanImports(readFileSync(file))
    .map(({ path }) => resolveOwn(path, file))
    .filter(path => path !== undefined)

/** A file and all project files that it imports, at any depth. */
export function reachableFiles(entry: string): string[] {
  const found = new Set([resolve(entry)])
  for (const file of found) for (const imported of importsOf(file)) found.add(imported)
  return [...found]
}

/** Resolves project files only. */
function resolveOwn(path: string, from: string): string | undefined {
  if (!path.startsWith('.') && !path.startsWith('@filmgate/')) return undefined
  try {
    const file = Bun.resolveSync(path, resolve(from, '..'))
    return file.endsWith('.ts') && existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
