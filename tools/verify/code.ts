import { runCommand, type Step } from './step'

/** TypeScript 7 takes 2 s instead of 50 s, but has no API; tools that read types use 5.9. */
const typeChecker = 'node_modules/typescript-native/bin/tsc'
const bin = (name: string): string => `node_modules/.bin/${name}`

export const codeSteps: Step[] = [
  {
    name: 'format and lint',
    fix: '`bun run format` fixes what can be fixed automatically; the rest is listed with file and line.',
    run: (changed = ['.']) => runCommand([bin('biome'), 'check', '--max-diagnostics=30', '--no-errors-on-unmatched', ...changed]),
  },
  {
    name: 'types',
    fix: `Correct the types; \`bun ${typeChecker} --noEmit -p .\` shows the same.`,
    run: () => runCommand([process.execPath, typeChecker, '--noEmit', '-p', '.']),
  },
  {
    name: 'imports',
    fix: 'The rules and their reasons are in .dependency-cruiser.cjs: move the code, or carry the fact in an event.',
    run: () => runCommand(importRules(['clients', 'proto', 'services', 'tests', 'tools'])),
  },
]

// With --bun: dependency-cruiser needs a newer Node than our oldest supported one.
export const importRules = (folders: string[], root = '.'): string[] => [
  process.execPath,
  '--bun',
  `${root}/${bin('depcruise')}`,
  '--config',
  '.dependency-cruiser.cjs',
  ...folders,
]
