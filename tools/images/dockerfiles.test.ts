import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../stack/instance'
import { imageNames } from './image-name'

const workspaces = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }).workspaces.flatMap(
  pattern => [...new Bun.Glob(`${pattern}/package.json`).scanSync(root)],
)

test('every service that has a Dockerfile is built', () => {
  const services = [...new Bun.Glob('services/*/Dockerfile').scanSync(root)].map(path => path.split('/')[1] ?? '')
  expect(services.toSorted()).toEqual([...imageNames].toSorted())
})

test.each(imageNames)('the image of %s installs from the manifest of every workspace, without which the lockfile is refused', name => {
  const dockerfile = readFileSync(join(root, 'services', name, 'Dockerfile'), 'utf8')
  expect(workspaces.filter(path => !dockerfile.includes(`COPY ${path} ${dirname(path)}/\n`))).toEqual([])
})
