import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../stack/instance'
import { imageNames } from './image-name'

const workspaces = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }).workspaces.flatMap(
  pattern => [...new Bun.Glob(`${pattern}/package.json`).scanSync(root)],
)

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')

test('every service is a build target', () => {
  const targets = [...dockerfile.matchAll(/^LABEL org\.opencontainers\.image\.title="filmgate-([a-z-]+)"$/gm)].map(([, name = '']) => name)
  expect(targets.toSorted()).toEqual([...imageNames].toSorted())
  expect(imageNames.filter(name => !new RegExp(`^FROM run(-with-tools)? AS ${name}$`, 'm').test(dockerfile))).toEqual([])
})

test('packages are installed with the manifest of every workspace, which the lockfile needs', () => {
  expect(workspaces.filter(path => !dockerfile.includes(`COPY ${path} ${dirname(path)}/\n`))).toEqual([])
})
