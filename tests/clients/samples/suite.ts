import type { Report } from '../../support/suite/report'
import { withoutCuts } from '../storage-line'
import { proveReceiver, proveResume } from './long-running'
import { findPackages } from './packages'
import { unknownPrograms } from './pages'
import { type Body, fillSample, type Program, programsOfPages, readBodies, samples } from './programs'
import { runProgram } from './run-program'
import { proveTypes } from './types'

/** Each kind of request once: words, a frame, references, a length that follows, a price by the generation, a mode without a default. */
const shown = [
  'alpha-h3.text-to-video',
  'alpha-h3.media-to-video',
  'alpha-h3-fast.image-to-video',
  'beta-2.5.media-to-video',
  'delta-motion-control.media-to-video',
  'theta-omni-1.1-flash.text-to-video',
  'kappa-2.3-fast.image-to-video',
]
/** The samples that the tests drive by hand. */
const driven = ['resume-after-crash', 'webhook-receiver']
const programsAtOnce = 3

/** Every sample of the reference and every program of the READMEs ends well in a fresh folder, and leaves a video that plays. */
export const prove = (report: Report): Promise<void> => withoutCuts(() => proveAll(report))

async function proveAll(report: Report): Promise<void> {
  const [packages, bodies] = await Promise.all([findPackages(), readBodies()])
  const bodyOf = (name: string): Body => {
    const body = bodies.get(name)
    if (!body) throw new Error(`the description has no example ${name}`)
    return body
  }
  const small = { ...bodyOf('alpha-h3-fast.text-to-video'), duration: 1, resolution: '480p' }
  const unknown = await unknownPrograms()
  report.check('the reference shows no other programs than these', unknown.length === 0, unknown.join('\n\n'))
  await proveTypes(report, [...bodies.values()])
  const programs: Program[] = samples()
    .filter(({ sample }) => !driven.includes(sample))
    .flatMap(({ sample, files }) =>
      files.flatMap(file => (sample === 'first-video' ? shown.map(bodyOf) : [small]).map(body => fillSample(sample, file, body))),
    )
  programs.push(...programsOfPages())
  report.figure('samples.programs', programs.length)
  const left = programs.values()
  const work = async () => {
    for (const program of left) {
      const fault = await runProgram(program, packages)
      report.check(program.name, fault === undefined, fault)
    }
  }
  await Promise.all(Array.from({ length: programsAtOnce }, work))
  await proveResume(report, packages, small)
  await proveReceiver(report, packages, small)
}
