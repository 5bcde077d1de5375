import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { serviceImages } from './image-name'

/** Files that start programs by variable names. */
const startedByVariable: Record<string, string[]> = {
  'media-probe': ['child/cage/check-isolation.ts', 'child/find-tools.ts', 'child/run-child.ts', 'child/sandbox.ts'],
  simulator: ['render/ffmpeg.ts'],
}
/** Programs of settings: FILMGATE_FFMPEG and FILMGATE_FFPROBE, SIMULATOR_FFMPEG and SIMULATOR_FFPROBE. */
const bySetting = ['ffmpeg', 'ffprobe']

const read = (service: string, file: string) => readFileSync(join(root, 'services', service, file), 'utf8')

/** The programs that a service checks at start. */
const lookedFor = (service: string): string[] => {
  const list = 'src/child/programs.ts'
  if (!existsSync(join(root, 'services', service, list))) return []
  const [, names = ''] = /export const programs = \[(.*)\] as const/.exec(read(service, list)) ?? []
  return names.split(', ').map(name => name.slice(1, -1))
}

const sources = (service: string): string[] =>
  [...new Bun.Glob('src/**/*.ts').scanSync(join(root, 'services', service))].filter(
    file => !file.endsWith('.test.ts') && !file.includes('/testing/'),
  )

test.each(serviceImages)('%s starts only programs that it checks at start', service => {
  const known = lookedFor(service)
  const unknown = sources(service).flatMap(file => {
    const code = read(service, file)
    const named = [...code.matchAll(/(?:\bspawn(?:Sync)?\(|\bcommand(?::| =))\s*\[\s*'([^']+)'/g)].map(([, program = '']) => program)
    const starts = /\bBun\.(?:spawn|\$)|\bchild_process\b/.test(code) && !startedByVariable[service]?.includes(file.slice('src/'.length))
    return [...named.filter(program => !known.includes(program)), ...(starts ? ['a program by a variable'] : [])].map(
      what => `${file}: ${what}`,
    )
  })
  expect(unknown).toEqual([])
})

test('the images contain exactly the programs that their services check', () => {
  const [, held = ''] = /for tool in ([a-z ]+);/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  expect(held.split(' ').toSorted()).toEqual([...bySetting, ...Object.keys(startedByVariable).flatMap(lookedFor)].toSorted())
})
