import { expect, test } from '@playwright/test'
import { limits } from '../../contract/limits.ts'
import { buildInvoice } from '../../generators/invoice/build.ts'
import { corpus } from '../../generators/corpus/corpus.ts'
import { seededDraw, drawBytes } from '../../generators/draw/draw.ts'
import { seedFrom } from '../../lib/random.ts'
import { encryption } from '../../generators/faults/encryption.ts'
import { invoiceMalformationsOf, malform } from '../../generators/faults/invoices.ts'
import { metadata } from '../../generators/faults/metadata.ts'
import { serialize } from '../../generators/schema/serialize.ts'
import { verify } from '../../reference/verification/verify.ts'
import type { Submission } from '../../reference/verification/verify.ts'
import { policy } from '../../reference/policy/policy.ts'
import { runOptions } from '../../suites/support/checks/run-options.ts'
import { exhaustive, sampled } from '../sample.ts'

/** The reference's verification accepts generated documents and refuses malformed ones as their class says. */

const { seed } = runOptions
const sessionLimits = {
  maxInvoiceBytes: limits['invoice.bytes'].value,
  maxInvoiceWithAttachmentBytes: limits['invoice.bytesWithAttachment'].value,
  maxInvoices: limits['session.invoices'].value,
}
const today = '2026-06-15'

const judge = (content: Uint8Array, more: Partial<Submission> & Pick<Submission, 'schema'>) => {
  const verdict = verify(
    { content, limits: sessionLimits, today, checkDigits: false, ...more },
    policy,
  )
  return 'fault' in verdict ? verdict.fault : undefined
}

/** Documents of each class; large ones take a second. */
const documentsEach = (layer: string) => (layer === 'occurrence' || layer === 'size' ? 1 : 3)

test.beforeAll(() => {
  console.log(`seed ${seed}`)
})

for (const schema of ['fa3', 'fa2'] as const) {
  test(`generated ${schema} documents are accepted, production's check digits included`, () => {
    const faults: unknown[] = []
    for (const { bytes, line } of corpus({ schema, seed, count: 150 })) {
      const fault = judge(bytes, { schema, checkDigits: true })
      if (fault) faults.push({ file: line.file, ...fault })
    }
    expect(faults).toEqual([])
  })

  const layers = [...new Set(invoiceMalformationsOf(schema).map(({ layer }) => layer))]
  for (const layer of layers) {
    test(`${schema}: the layer "${layer}" is refused as declared`, () => {
      const faults: string[] = []
      const classes = invoiceMalformationsOf(schema).filter((each) => each.layer === layer)
      for (const entry of sampled(classes, 8, `refused ${schema} ${layer}`)) {
        // Who may issue for whom, and in which way a document may be sent, does not depend on the document alone.
        if (['seller-not-allowed', 'attachment-not-allowed'].includes(entry.refusedAs)) continue
        for (let n = 0; n < (exhaustive ? documentsEach(layer) : 1); n++) {
          const own = seedFrom(seed, entry.id, n)
          const options = {
            schema,
            seller: '5265877635',
            number: `R/${own}`,
            issueDate: '2026-03-02',
          } as const
          const { document } = buildInvoice({ ...options, profile: 'general' }, seededDraw(own))
          const { before, bytes } = malform(entry, document, own)
          const checkDigits = entry.onlyIn === 'production'
          const good = judge(serialize(before), { schema })
          if (good)
            faults.push(
              `${entry.id} (seed ${own}): before, ${good.refusal} ${good.details.join('; ')}`,
            )
          const fault = judge(bytes, { schema, checkDigits })
          if (fault?.refusal !== entry.refusedAs) {
            faults.push(
              `${entry.id} (seed ${own}): ${fault?.refusal ?? 'accepted'} instead of ${entry.refusedAs}; ${fault?.details.join('; ')}`,
            )
          }
        }
      }
      expect(faults).toEqual([])
    })
  }
}

test('wrong encryption and wrong metadata are rejected as declared', () => {
  const faults: string[] = []
  for (const [n, { bytes }] of [...corpus({ schema: 'fa3', seed, count: 10 })].entries()) {
    const source = seededDraw(seedFrom(seed, 'secret', n))
    const draft = {
      xml: bytes,
      key: drawBytes(source, 32),
      iv: drawBytes(source, 16),
      wrappedKey: drawBytes(source, 256),
    }
    const plainSide = metadata().filter(({ refusedAs }) => refusedAs.startsWith('invoice-'))
    for (const entry of [...encryption(), ...plainSide]) {
      const { body, refusedAs } = entry.apply(draft, seededDraw(seedFrom(seed, entry.id, n)))
      const fault = judge(Buffer.from(body['encryptedInvoiceContent'] as string, 'base64'), {
        schema: 'fa3',
        encryption: draft,
        declared: { hash: body['invoiceHash'] as string, size: body['invoiceSize'] as number },
      })
      if (fault?.refusal !== refusedAs) {
        faults.push(
          `${entry.id} (document ${n}): ${fault?.refusal ?? 'accepted'} instead of ${refusedAs}`,
        )
      }
    }
  }
  expect(faults).toEqual([])
})
