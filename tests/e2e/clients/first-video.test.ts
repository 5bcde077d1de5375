import { expect, test } from 'bun:test'
import { findPackages } from '../../clients/samples/packages'
import { unknownPrograms } from '../../clients/samples/pages'
import { fillSample, readBodies, samples } from '../../clients/samples/programs'
import { runProgram } from '../../clients/samples/run-program'

test('the first video of the reference is made by its program in every language', async () => {
  const [packages, bodies] = await Promise.all([findPackages(), readBodies()])
  const body = { ...bodies.get('alpha-h3-fast.text-to-video'), duration: 1, resolution: '480p' }
  const files = samples().find(({ sample }) => sample === 'first-video')?.files ?? []
  const faults = await Promise.all(
    files.map(async file => ({ file, fault: await runProgram(fillSample('first-video', file, body), packages) })),
  )
  expect(faults).toEqual(
    ['ai-sdk.ts', 'cli.sh', 'curl.sh', 'openai.py', 'python.py', 'typescript.ts'].map(file => ({ file, fault: undefined })),
  )
}, 180_000)

test('the reference shows no program that test:clients does not run', async () => {
  expect(await unknownPrograms()).toEqual([])
})
