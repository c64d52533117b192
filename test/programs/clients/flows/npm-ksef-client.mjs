// The flow of ksef-client of npm.
import { KsefClient, XadesKeyPair } from 'ksef-client'
import {
  attempts,
  certificate,
  expectEqual,
  invoices,
  key,
  limitsOf,
  nip,
  origin,
  run,
  token,
} from './steps.mjs'

const client = new KsefClient({ baseUrl: origin })
const context = { type: 'Nip', value: nip }
const formCode = { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' }
const [first, second] = invoices
const accepted = async (session) => {
  await session.waitForUpo(attempts)
  expectEqual((await session.status()).successfulInvoiceCount, 1, 'accepted invoices')
}

await run({
  'login by token': async () => {
    const options = { token, context, ...attempts }
    client.authManager.setTokens(await client.workflows.auth.authenticateWithKsefToken(options))
  },
  'login by certificate': async () => {
    const keyPair = XadesKeyPair.fromPem({ certificatePem: certificate, privateKeyPem: key })
    const subjectIdentifierType = 'certificateSubject'
    await client.workflows.auth.authenticateWithCertificate({
      keyPair,
      context,
      subjectIdentifierType,
      ...attempts,
    })
  },
  invoice: async () => {
    const session = await client.workflows.sessions.online.open({ formCode })
    await session.sendInvoice({ invoice: first.toString('utf8') })
    await session.close()
    await accepted(session)
  },
  batch: async () => {
    const files = [{ fileName: 'a.xml', invoice: second.toString('utf8') }]
    const options = { formCode, invoices: files }
    await accepted(await client.workflows.sessions.batch.openUploadAndClose(options))
  },
  limits: limitsOf(client),
})
