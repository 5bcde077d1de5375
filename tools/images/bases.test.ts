import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { type BaseImage, basesIn, ensureBases, pullDigests, withDigests } from './bases'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-bases-'))
afterAll(() => rmSync(folder, { recursive: true }))

const digest = (digit: string) => `@sha256:${digit.repeat(64)}`
const tags = ['oven/bun:1.4.5-slim', 'oven/bun:1.4.5-distroless'] as const
const tagsOf = (bases: BaseImage[]) => bases.map(({ argument, tag }) => [argument, tag])

/** A client of Docker that fails what a line of its script doesn't take. */
function fakeDocker(cases: string) {
  const file = join(folder, crypto.randomUUID())
  writeFileSync(file, `#!/bin/sh\necho "$*" >> ${file}.log\ncase "$*" in\n${cases}\n*) exit 1;;\nesac\n`, { mode: 0o755 })
  return { engine: { docker: file, env: {} }, calls: () => readFileSync(`${file}.log`, 'utf8').trim().split('\n') }
}

test('the base images are those of the Dockerfile, and a digest is written behind their tags alone', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const bases = basesIn(text)
  expect(tagsOf(bases)).toEqual([
    ['BUILD_IMAGE', tags[0]],
    ['RUN_IMAGE', tags[1]],
  ])
  const first = withDigests(
    text,
    new Map([
      [tags[0], digest('a')],
      [tags[1], digest('b')],
    ]),
  )
  expect(basesIn(first).map(base => base.digest)).toEqual([digest('a'), digest('b')])
  const second = withDigests(
    first,
    new Map([
      [tags[0], digest('c')],
      [tags[1], digest('b')],
    ]),
  )
  expect(second).toBe(first.replace(digest('a'), digest('c')))
})

test('digests are those that the registry has', async () => {
  const { engine } = fakeDocker(`'pull -q'*) ;;\n'image inspect'*) echo '["oven/bun${digest('d')}"]';;`)
  const bases = basesIn(`ARG RUN_IMAGE=${tags[1]}`)
  expect(await pullDigests(engine, bases)).toEqual(new Map([[tags[1], digest('d')]]))
  const local = fakeDocker(`'pull -q'*) ;;\n'image inspect'*) echo '[]';;`)
  expect(pullDigests(local.engine, bases)).rejects.toThrow('no digest')
})

test('an image is built of what its digest names; only a substitute goes by its tag', async () => {
  const pinned = basesIn(`ARG BUILD_IMAGE=${tags[0]}${digest('a')}\nARG RUN_IMAGE=${tags[1]}${digest('b')}`)
  const online = fakeDocker(`'pull -q'*) ;;`)
  expect(await ensureBases(online.engine, pinned)).toEqual([])
  expect(online.calls().filter(call => call.startsWith('pull'))).toEqual(pinned.map(({ tag, digest }) => `pull -q ${tag}${digest}`))
  const offline = fakeDocker(`*@sha256:*) exit 1;;\n'image inspect'*) ;;`)
  expect(await ensureBases(offline.engine, pinned)).toEqual([
    '--build-arg',
    `BUILD_IMAGE=${tags[0]}`,
    '--build-arg',
    `RUN_IMAGE=${tags[1]}`,
  ])
})
