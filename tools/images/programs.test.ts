import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { imageNames } from './image-name'

/** Where programs are started whose names are settings, or come from a list of a service's own. */
const startedByVariable: Record<string, string[]> = {
  'media-probe': ['child/find-tools.ts', 'child/run-child.ts', 'child/sandbox.ts'],
  simulator: ['render/ffmpeg.ts'],
}
/** The settings' own values: of media-probe FILMGATE_FFMPEG and FILMGATE_FFPROBE, of the simulator SIMULATOR_FFMPEG and SIMULATOR_FFPROBE. */
const bySetting = ['ffmpeg', 'ffprobe']

const read = (service: string, file: string) => readFileSync(join(root, 'services', service, file), 'utf8')

/** What a service says that it looks for at start. */
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

test.each(imageNames)('%s starts no program that it does not look for at start', service => {
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

test('the images with tools hold each program that a service looks for, and no other', () => {
  const [, held = ''] = /for tool in ([a-z ]+);/.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? []
  expect(held.split(' ').toSorted()).toEqual([...bySetting, ...Object.keys(startedByVariable).flatMap(lookedFor)].toSorted())
})
