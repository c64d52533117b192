// The flow of ksef-client-ts.
import {
  KSeFClient,
  createZip,
  openOnlineSession,
  pollUntil,
  uploadBatchParsed,
} from 'ksef-client-ts'
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

const newClient = () => new KSeFClient({ baseUrl: origin, rateLimit: null })
const client = newClient()
const [first, second] = invoices.map((bytes) => new Uint8Array(bytes))
let number

await run({
  'login by token': async () => {
    await client.loginWithToken(token, nip)
    await client.crypto.init()
  },
  'login by certificate': () => newClient().loginWithCertificate(certificate, key, nip),
  invoice: async () => {
    const session = await openOnlineSession(client)
    const reference = await session.sendInvoice(first)
    const found = await pollUntil(
      () => client.sessionStatus.getSessionInvoice(session.sessionRef, reference),
      ({ status }) => status.code >= 200,
      attempts,
    )
    expectEqual(found.status.code, 200, 'status of the invoice')
    number = found.ksefNumber
    await session.close()
    await session.waitForUpoParsed(attempts)
  },
  download: () => client.invoices.getInvoice(number),
  batch: async () => {
    const zip = await createZip([{ fileName: 'a.xml', content: second }])
    const { upo } = await uploadBatchParsed(client, zip, { pollOptions: attempts })
    expectEqual(upo.successfulInvoiceCount, 1, 'accepted invoices')
  },
  limits: limitsOf(client),
})
