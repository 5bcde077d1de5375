import { join } from 'node:path'
import type { ReleaseFile } from '@filmgate/tools/release/summary'
import { mustRun, run } from '@filmgate/tools/stack/fetch/run'
import type { Report } from '../support/suite/report'
import type { Bench } from './bench'

type Statement = {
  subject: { digest: { sha256: string } }[]
  predicateType: string
  predicate: { bomFormat: string; components: { purl: string }[] }
}

const digestIn = (reference: string) => reference.split('@sha256:')[1] ?? ''

/** Signatures and SBOMs by cosign alone, as a stranger has it; another key and a changed image. */
export async function proveSignatures(report: Report, bench: Bench, release: ReleaseFile): Promise<void> {
  const { cosign, crane, folder, publicKey } = bench
  const verify = (verb: string, key: string, ...words: string[]) =>
    run([cosign, verb, '--allow-http-registry', '--insecure-ignore-tlog', '--key', key, ...words])
  await mustRun('Making another key', [cosign, 'generate-key-pair', '--output-key-prefix', join(folder, 'other')], {
    env: { COSIGN_PASSWORD: '' },
  })
  const other = join(folder, 'other.pub')

  const images = release.images.flatMap(({ reference, platforms }) => [reference, ...Object.values(platforms)])
  for (const reference of [...images, ...release.charts.map(chart => chart.reference)]) {
    const { code, output } = await verify('verify', publicKey, reference)
    report.check(`signed: ${reference}`, code === 0, output)
  }
  const [image = ''] = Object.values(release.images[0]?.platforms ?? {})
  report.check('another key is refused', (await verify('verify', other, image)).code !== 0)
  report.check('an SBOM under another key is refused', (await verify('verify-attestation', other, '--type', 'cyclonedx', image)).code !== 0)

  for (const [name, reference] of release.images.map(each => [each.reference, Object.values(each.platforms)[0] ?? '']))
    await proveSbom(
      report,
      name ?? '',
      reference ?? '',
      (await verify('verify-attestation', publicKey, '--type', 'cyclonedx', reference ?? '')).output,
    )

  const changed = await mustRun('Changing an image', [
    crane,
    'mutate',
    image,
    '--label',
    'changed=yes',
    '--tag',
    `${image.split('@')[0]}:changed`,
  ])
  const reference = /\S+@sha256:[0-9a-f]{64}/.exec(changed)?.[0] ?? ''
  report.check(
    'an image with another label is refused',
    reference !== image && (await verify('verify', publicKey, reference)).code !== 0,
    changed,
  )
}

async function proveSbom(report: Report, name: string, reference: string, output: string): Promise<void> {
  const payload = /"payload":"([^"]+)"/.exec(output)?.[1] ?? ''
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString() || '{}') as Partial<Statement>
  const purls = statement.predicate?.components.map(({ purl }) => purl) ?? []
  // The look-alike of the base image has no records of its packages; those of the tools are there.
  const needed = ['pkg:npm/bun@', 'pkg:npm/%40opentelemetry/api@', ...(name.includes('media-probe') ? ['pkg:deb/debian/ffmpeg@'] : [])]
  const whole = needed.every(start => purls.some(purl => purl.startsWith(start)))
  const isOfIt = statement.subject?.[0]?.digest.sha256 === digestIn(reference) && statement.predicate?.bomFormat === 'CycloneDX'
  report.check(`SBOM attested: ${name}`, isOfIt && whole, `${purls.length} packages; ${output.slice(0, 400)}`)
}
