import { readFileSync } from 'node:fs'
import { sourceFiles } from './source-files'
import { passIfNone, type Step } from './step'

const linesMax = 350
const handwritten = /\.(ts|js|cjs|sql|sh|py|proto|tpl|lua|css|go)$|(^|\/)Dockerfile$|^\.ci\//
const generatedOrData = /^proto\/gen\/|\/rendered\/|(^|\/)bun\.lock$/
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
    fix: 'Only config.ts parses the environment of a service, every fault at once: where a process begins it is given process.env whole, a noun folder is given values.',
    run: async () => {
      const files = (await sourceFiles()).filter(
        file => /^services\/.*\/src\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing(\.ts|\/)/.test(file),
      )
      return passIfNone(files.filter(file => readsEnvironment(file, read(file))))
    },
  },
  {
    name: 'kafka clients',
    fix: 'A client of Kafka is made by openKafka (services/kit/src/bus/open-kafka.ts) alone, which knows TLS and who we are.',
    run: async () => {
      const files = (await sourceFiles()).filter(
        file => /^(services|tools)\/.*\.ts$/.test(file) && !/\.test\.ts$|\/testing(\.ts|\/)/.test(file),
      )
      return passIfNone(files.filter(file => file !== kafkaClient && /\bnew Kafka\(/.test(read(file))))
    },
  },
  {
    name: 'lockfiles',
    fix: 'A lockfile names packages and versions, never where they came from: install with the default settings of the client and commit again.',
    run: async () => {
      const locks = (await sourceFiles()).filter(file => lockfile.test(file))
      return passIfNone(locks.flatMap(file => hostsIn(file, read(file))))
    },
  },
  {
    name: 'merge conflicts',
    fix: 'Both sides of a merge stand here: keep what is right, and take the marks out.',
    run: async () => passIfNone((await sourceFiles()).filter(isText).flatMap(file => conflictsIn(file, read(file)))),
  },
]

const isText = (file: string): boolean => /\.(md|ts|js|cjs|json|ya?ml|sql|sh|py|proto|tpl|lua|css|go|toml|txt)$/.test(file)

/** Where git left its marks: `file:line`. */
export const conflictsIn = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => (/^(<{7}|>{7}) \S/.test(line) ? [`${file}:${index + 1}`] : []))

const passedWhole = /\b(?:process|Bun)\.env[,)]/

/** Handing process.env on whole is what a process does where it begins: in a file right in src/, or in a statement outside all functions. */
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
