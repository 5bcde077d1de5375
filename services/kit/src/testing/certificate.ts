import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import { parseAddress } from '../safe-fetch/address'

export type Certificate = { cert: string; key: string }

export type CertificateInput = {
  /** DNS names and IP addresses it is good for. With none it has no list of them. */
  names: string[]
  /** Whom it was made out to, the first of its names where absent. No client takes it for a name (RFC 9525). */
  subject?: string
  notBefore?: Date
  notAfter?: Date
  /** Signed by this one; by itself where absent, and then usable as its own authority. */
  issuer?: Certificate
}

/** Makes an X.509 certificate for a development or test server, so that none is committed and no openssl is needed. */
export function makeCertificate({
  names,
  subject: subjectName = names[0] ?? 'unnamed',
  notBefore = daysFromNow(-1),
  notAfter = daysFromNow(365),
  issuer,
}: CertificateInput): Certificate {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = commonName(subjectName)
  const publicKey = publicOf(pair.privateKey)
  const signer = issuer ? createPrivateKey(issuer.key) : pair.privateKey
  const issuerName = issuer ? commonName(new X509Certificate(issuer.cert).subject.replace(/^CN=/, '')) : subject
  const body = der(
    0x30,
    der(0xa0, integer(2)),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256,
    issuerName,
    der(0x30, time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        0x30,
        ...(names.length === 0 ? [] : [extension('551d11', der(0x30, ...names.map(generalName)))]),
        // Which of several authorities of one name has signed: without them the first that is found is taken, and its signature doesn't fit.
        extension('551d0e', der(0x04, keyIdentifier(publicKey))),
        extension('551d23', der(0x30, der(0x80, keyIdentifier(publicOf(signer))))),
        ...(issuer ? [] : [extension('551d13', der(0x30, der(0x01, Buffer.from([0xff]))))]),
      ),
    ),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, signer))
  return {
    cert: pem('CERTIFICATE', der(0x30, body, ecdsaWithSha256, signature)),
    key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** One DER element: tag, length, contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const integer = (value: number) => der(0x02, Buffer.from([value]))
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = der(0x30, objectId('2a8648ce3d040302'))
const commonName = (name: string) => der(0x30, der(0x31, der(0x30, objectId('550403'), der(0x0c, Buffer.from(name)))))
const extension = (id: string, value: Buffer) => der(0x30, objectId(id), der(0x04, value))
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\..*/g, '')}Z`))
/** RFC 5280, 4.2.1.2: any hash of the public key will do. */
const keyIdentifier = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
// A key object as it comes from a pair is not taken everywhere; its PEM is.
const publicOf = (key: KeyObject) => createPublicKey(key.export({ type: 'pkcs8', format: 'pem' }))
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000)
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

/** A SAN entry: [2] a DNS name, [7] an address in network order. */
function generalName(name: string): Buffer {
  if (!isIP(name)) return der(0x82, Buffer.from(name))
  const address = parseAddress(name)
  if (!address) throw new Error(`not an address: ${name}`)
  return der(0x87, Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex'))
}
