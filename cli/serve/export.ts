import { X509Certificate, createPrivateKey } from 'node:crypto'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import { makeInvoice } from '../../generators/invoice/invoice.ts'
import { pkcs12 } from '../../lib/node/pkcs12.ts'
import type { Profile, Server } from '../../reference/server/server.ts'
import { hostsRecipe } from './recipe.ts'
import type { Service } from '../../reference/call/service.ts'
import type { SeededContext } from '../../reference/service/seed.ts'

/** Everything that a client may ask for, as files of a folder. */

/** Of every PKCS#12 file: its key opens nothing but this service. */
const password = 'assay'

const warsaw = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Warsaw' })

interface Entry {
  readonly name: string
  readonly value: string
}

const environmentFile = (entries: readonly Entry[]): string =>
  entries.map(({ name, value }) => `${name}='${value}'\n`).join('')

/** Writes files into a folder; returns their paths. */
type Write = (name: string, contents: string | Uint8Array, mode?: number) => string

const writeContext = (context: SeededContext, write: Write): SeededContext => {
  const { value } = context
  const certificate = readFileSync(context.certificate)
  const key = readFileSync(context.key)
  const der = new X509Certificate(certificate).raw
  const archive = pkcs12(createPrivateKey(key), der, { password, name: `NIP ${value}` })
  write(`${value}.crt.der`, der)
  write(`${value}.p12`, archive, 0o600)
  return {
    ...context,
    certificate: write(`${value}.crt.pem`, certificate),
    key: write(`${value}.key.pem`, key, 0o600),
  }
}

const writeServiceKeys = ({ keys, clock, policy, dialect }: Service, write: Write): void => {
  const { usage: words = {} } = dialect.values
  for (const { usage, certificate } of keys.published(policy, clock.now())) {
    const der = Buffer.from(certificate, 'base64')
    for (const use of usage) {
      const name = `service-${words[use] ?? use}`
      write(`${name}.crt.der`, der)
      write(`${name}.crt.pem`, new X509Certificate(der).toString())
    }
  }
}

const writeInvoices = (seller: string, issueDate: string, write: Write): void => {
  for (const seed of [1, 2]) {
    const number = `EXAMPLE/${issueDate.replaceAll('-', '')}/${seed}`
    const invoice = makeInvoice({ seller, number, issueDate, profile: 'services' }, seed)
    write(`invoice-${seed}.xml`, invoice)
  }
}

/** @returns the profile with the paths of the folder */
export const exportFiles = (server: Server, folder: string): Profile => {
  makeDirectory(folder)
  const file = (name: string): string => path.join(folder, name)
  const write: Write = (name, contents, mode = 0o644) => {
    writeFileSync(file(name), contents, { mode })
    return file(name)
  }
  const { profile, origin, trust } = server
  const { service } = server.reference
  const contexts = profile.contexts.map((context) => writeContext(context, write))
  writeServiceKeys(service, write)
  if (trust !== undefined) copyFileSync(trust, file('ca.crt.pem'))
  const ca = trust === undefined ? undefined : file('ca.crt.pem')
  const [context] = contexts
  if (context !== undefined) writeInvoices(context.value, warsaw.format(service.clock.now()), write)
  const exported: Profile = { ...profile, contexts, ...(ca !== undefined && { ca }) }
  write('target.json', `${JSON.stringify(exported, null, 2)}\n`, 0o600)
  write('hosts.md', hostsRecipe(server))
  const entries = [
    { name: 'ASSAY_ORIGIN', value: origin },
    { name: 'ASSAY_URL', value: profile.url },
    { name: 'ASSAY_MANAGEMENT', value: profile.management },
    ...(ca === undefined ? [] : [{ name: 'ASSAY_CA', value: ca }]),
    ...(context === undefined
      ? []
      : [
          { name: 'ASSAY_NIP', value: context.value },
          { name: 'ASSAY_TOKEN', value: context.token },
          { name: 'ASSAY_CERTIFICATE', value: context.certificate },
          { name: 'ASSAY_KEY', value: context.key },
          { name: 'ASSAY_PKCS12', value: file(`${context.value}.p12`) },
          { name: 'ASSAY_PKCS12_PASSWORD', value: password },
          { name: 'ASSAY_INVOICE', value: file('invoice-1.xml') },
        ]),
  ]
  write('.env', environmentFile(entries), 0o600)
  return exported
}
