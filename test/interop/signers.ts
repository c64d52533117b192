import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toPem } from '../../lib/node/certificate.ts'
import { makeCertificate, sealSubject } from '../../lib/node/pki.ts'
import { projectRoot } from '../sources.ts'

/** Signature software that is not ours: what is installed of it, and how it is run. */

const root = projectRoot() ?? '.'
const sources = path.join(root, 'test/interop')
const jars = path.join(root, '.cache/dss')

const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Why documents cannot be signed by EU DSS here; undefined where they can. Fetches it once, by Maven. */
export const dssMissing = (): string | undefined => {
  if (!runs('java', '--version') || !runs('javac', '--version')) return 'there is no JDK (Java 17)'
  if (existsSync(path.join(jars, 'complete'))) return undefined
  if (!runs('mvn', '--version')) return 'there is no Maven, which fetches EU DSS'
  const pom = path.join(sources, 'dss/pom.xml')
  const fetched = spawnSync(
    'mvn',
    ['-q', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`],
    { encoding: 'utf8' },
  )
  if (fetched.status !== 0) {
    const line =
      fetched.stdout.split('\n').find((one) => one.includes('ERROR')) ?? 'no reason given'
    return `Maven could not fetch EU DSS: ${line.slice(0, 200)}`
  }
  writeFileSync(path.join(jars, 'complete'), '')
  return undefined
}

export const signxmlMissing = (): string | undefined =>
  runs('python3', '-c', 'import signxml')
    ? undefined
    : 'there is no signxml for python3 (pip install signxml)'

export const xmlsecMissing = (): string | undefined =>
  runs('xmlsec1', '--version') ? undefined : 'xmlsec1 is not installed'

/** Writes the request, and keys with self-signed certificates, where the signers read them. */
export const prepare = (folder: string, request: string, nip: string, now: number): void => {
  mkdirSync(path.join(folder, 'out'), { recursive: true })
  writeFileSync(path.join(folder, 'request.xml'), request)
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  for (const [name, keys] of [
    ['rsa', { keys: 'rsa' }],
    ['p256', { keys: 'p256' }],
    ['p384', { privateKey: p384 }],
  ] as const) {
    const made = makeCertificate({ subject: sealSubject(nip), now, ...keys })
    const file = path.join(folder, name)
    writeFileSync(`${file}.crt`, made.certificate)
    writeFileSync(`${file}.crt.pem`, toPem(made.certificate))
    writeFileSync(`${file}.key`, made.privateKey.export({ format: 'der', type: 'pkcs8' }))
    writeFileSync(`${file}.key.pem`, made.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  }
}

const failed = (what: string, { stdout, stderr }: { stdout: string; stderr: string }): Error =>
  new Error(`${what} failed: ${(stderr || stdout).slice(0, 2_000)}`)

/** Signs the request of a folder with EU DSS in all ways. */
export const signWithDss = (folder: string, now: number): void => {
  const signingTime = new Date(now - 60_000).toISOString()
  const program = path.join(sources, 'dss/Sign.java')
  // The program ends before the optimizing compiler would pay off.
  const brief = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
  const args = [...brief, '-cp', path.join(jars, '*'), program, folder, signingTime]
  const result = spawnSync('java', args, { encoding: 'utf8' })
  if (result.status !== 0) throw failed('EU DSS', result)
}

export const signWithSignxml = (folder: string): void => {
  const program = path.join(sources, 'sign-with-signxml.py')
  const result = spawnSync('python3', [program, folder], { encoding: 'utf8' })
  if (result.status !== 0) throw failed('signxml', result)
}

const identified = [
  '--id-attr:Id',
  'http://www.w3.org/2000/09/xmldsig#:Object',
  '--id-attr:Id',
  'http://uri.etsi.org/01903/v1.3.2#:SignedProperties',
]

/** Whether xmlsec1 verifies a document by a certificate; else what it printed. */
export const verifyWithXmlsec = (folder: string, document: string, pem: string): true | string => {
  const file = path.join(folder, 'document.xml')
  const certificate = path.join(folder, 'certificate.pem')
  writeFileSync(file, document)
  writeFileSync(certificate, pem)
  const args = ['--verify', ...identified, '--pubkey-cert-pem', certificate, file]
  const { status, stdout, stderr } = spawnSync('xmlsec1', args, { encoding: 'utf8' })
  return status === 0 || stdout + stderr
}

/** Has xmlsec1 compute all digests and the signature value again. */
export const signWithXmlsec = (folder: string, document: string, keyPem: string): string => {
  const file = path.join(folder, 'template.xml')
  const key = path.join(folder, 'xmlsec.key.pem')
  const out = path.join(folder, 'xmlsec.xml')
  const [certificate = '', ...rest] = document.split('<xades:SigningCertificate>')
  // The digest of the certificate is a property and stays; those of the references are left to xmlsec1.
  const blank = certificate
    .replace(/<ds:DigestValue>[^<]*</g, '<ds:DigestValue><')
    .replace(/<ds:SignatureValue>[^<]*</, '<ds:SignatureValue><')
  writeFileSync(file, [blank, ...rest].join('<xades:SigningCertificate>'))
  writeFileSync(key, keyPem)
  const args = ['--sign', ...identified, '--privkey-pem', key, '--output', out, file]
  const result = spawnSync('xmlsec1', args, { encoding: 'utf8' })
  if (result.status !== 0) throw failed('xmlsec1', result)
  return readFileSync(out, 'utf8')
}

/** What the signers wrote: name of the way -> document. */
export const signedIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(path.join(folder, 'out')).map((file) => [
      path.basename(file, '.xml'),
      readFileSync(path.join(folder, 'out', file), 'utf8'),
    ]),
  )
