import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageName } from '../images/image-name'
import { writeSbom } from '../images/sbom'
import { StackFault } from '../stack/fault'
import { mustRun, run } from '../stack/fetch/run'
import { crane, type Registry } from './registry'

/** Words of cosign by which a release is signed, and by which anybody verifies it. */
export type Signer = { sign: string[]; verify: string[] }

const signTimeoutMs = 300_000

/** By a key of one's own: nothing leaves for a transparency log. `folder` gets the public key. Its password is COSIGN_PASSWORD. */
export async function signByKey({ cosign }: Registry, key: string, folder: string): Promise<Signer> {
  const publicKey = join(folder, 'cosign.pub')
  await mustRun('Reading the public key', [cosign, 'public-key', '--key', key, '--outfile', publicKey])
  const file = (name: string) => join(import.meta.dir, 'programs', name)
  const alone = ['--signing-config', file('no-services.json'), '--trusted-root', file('no-root.json')]
  return { sign: ['--key', key, ...alone], verify: ['--key', publicKey, '--insecure-ignore-tlog'] }
}

/** Keyless: an identity that the public Sigstore certifies for minutes and logs for good. */
export const signByIdentity = (identity: string, issuer: string): Signer => ({
  sign: [],
  verify: ['--certificate-identity', identity, '--certificate-oidc-issuer', issuer],
})

const cosignOf = ({ cosign, plainHttp }: Registry, verb: string, words: string[]): string[] => [
  cosign,
  verb,
  ...(plainHttp ? ['--allow-http-registry'] : []),
  ...words,
]

/** Signs a digest, unless it is signed. */
export async function sign(registry: Registry, signer: Signer, reference: string): Promise<void> {
  if (await verifies(registry, 'verify', signer, reference)) return
  const command = cosignOf(registry, 'sign', ['--yes', ...signer.sign, reference])
  await mustRun(`Signing ${reference}`, command, { timeoutMs: signTimeoutMs })
  if (!(await verifies(registry, 'verify', signer, reference)))
    throw new StackFault(`${reference} was signed, and its signature does not verify.`)
  console.log(`signed   ${reference}`)
}

export type AttestInput = { name: ImageName; version: string; reference: string }

/** Attests the SBOM of a platform's image, made from what the registry has, unless it is attested. */
export async function attestSbom(registry: Registry, signer: Signer, { name, version, reference }: AttestInput): Promise<void> {
  const type = ['--type', 'cyclonedx']
  if (await verifies(registry, 'verify-attestation', signer, reference, type)) return
  const scratch = join(tmpdir(), `filmgate-sbom-${process.pid}-${name}`)
  const [archive, file] = [`${scratch}.tar`, `${scratch}.cdx.json`]
  try {
    await crane(registry, `Pulling ${reference}`, 'pull', reference, archive)
    const packages = await writeSbom({ name, reference: `filmgate/${name}:${version}`, archive, file })
    const command = cosignOf(registry, 'attest', ['--yes', ...type, '--predicate', file, ...signer.sign, reference])
    await mustRun(`Attesting ${reference}`, command, { timeoutMs: signTimeoutMs })
    console.log(`attested ${reference}: ${packages} packages`)
  } finally {
    for (const each of [archive, file]) rmSync(each, { force: true })
  }
}

async function verifies(registry: Registry, verb: string, signer: Signer, reference: string, more: string[] = []): Promise<boolean> {
  return (await run(cosignOf(registry, verb, [...more, ...signer.verify, reference]))).code === 0
}
