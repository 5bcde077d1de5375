import { readFileSync } from 'node:fs'
import { sourceFiles } from './source-files'
import { passIfNone, type Step } from './step'

const linesMax = 350
const handwritten = /\.(ts|js|cjs|sql|sh|py|proto|tpl|lua|css|go)$|(^|\/)Dockerfile$|^\.ci\//
const generatedOrData = /^proto\/gen\/|^clients\/[^/]+\/src\/(.+\/)?(generated\.ts|_(generated|calls)\.py)$|\/rendered\/|(^|\/)bun\.lock$/
const kafkaClient = 'services/kit/src/bus/open-kafka.ts'
const lockfile = /(^|\/)(bun\.lock|package-lock\.json|Chart\.lock|requirements.*\.txt)$/

export const fileSteps: Step[] = [
  {
    name: 'file length',
    fix: `A file written by hand has at most ${linesMax} lines: split it by verb.`,
    run: async () => {
      const files = (await sourceFiles()).filter(file => handwritten.test(file) && !generatedOrData.test(file))
      const long = files.map(file => ({ file, lines: read(file).split('\n').length - 1 })).filter(({ lines }) => lines > linesMax)
      return passIfNone(long.map(({ file, lines }) => `${file}: ${lines} lines`))
    },
  },
  {
    name: 'environment',
    fix: 'Only config.ts parses the environment. Entry points pass process.env to it; folders get values.',
    run: async () => {
      const files = (await sourceFiles()).filter(
        file => /^services\/.*\/src\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing(\.ts|\/)|\/docs\/samples\/.+\//.test(file),
      )
      return passIfNone(files.filter(file => readsEnvironment(file, read(file))))
    },
  },
  {
    name: 'kafka clients',
    fix: 'Only openKafka (services/kit/src/bus/open-kafka.ts) creates Kafka clients, because it configures TLS and login.',
    run: async () => {
      const files = (await sourceFiles()).filter(
        file => /^(services|tools)\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing(\.ts|\/)/.test(file),
      )
      return passIfNone(files.filter(file => file !== kafkaClient && /\bnew Kafka\(/.test(read(file))))
    },
  },
  {
    name: 'lockfiles',
    fix: 'A lockfile must not contain URLs: install with the client’s default settings and commit again.',
    run: async () => {
      const locks = (await sourceFiles()).filter(file => lockfile.test(file))
      return passIfNone(locks.flatMap(file => hostsIn(file, read(file))))
    },
  },
  {
    name: 'merge conflicts',
    fix: 'Resolve the conflict and remove the markers.',
    run: async () => passIfNone((await sourceFiles()).filter(isText).flatMap(file => conflictsIn(file, read(file)))),
  },
]

const isText = (file: string): boolean => /\.(md|ts|js|cjs|json|ya?ml|sql|sh|py|proto|tpl|lua|css|go|toml|txt)$/.test(file)

/** Lines with conflict markers, as `file:line`. */
export const conflictsIn = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => (/^(<{7}|>{7}) \S/.test(line) ? [`${file}:${index + 1}`] : []))

const passedWhole = /\b(?:process|Bun)\.env[,)]/

/** Only an entry point may pass process.env on: a file directly in src/, or a statement outside of functions. */
export function readsEnvironment(file: string, text: string): boolean {
  const isEntryPoint = /^services\/[^/]+\/(src|bin)\/[^/]+\.ts$/.test(file)
  const lines = text.split('\n').filter(line => /\b(?:process|Bun)\.env\b/.test(line))
  return lines.some(line => !passedWhole.test(line) || !(isEntryPoint || line.startsWith('const ')))
}

const read = (file: string): string => readFileSync(file, 'utf8')

export const hostsIn = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => {
    const host = /https?:\/\/[^\s"']+/.exec(line)?.[0]
    return host ? [`${file}:${index + 1}: ${host}`] : []
  })
