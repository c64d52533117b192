import { existsSync } from 'node:fs'
import type { XsdValidator } from 'libxml2-wasm'
import type { InvoiceSchemaId } from '../../../contract/environments.ts'
import { invoiceSchemas } from '../../../contract/environments.ts'
import { refusal } from '../../../contract/errors.ts'
import { referenceDay } from '../../../generators/corpus/corpus.ts'
import { seedFrom } from '../../../lib/random.ts'
import { seededDraw } from '../../../generators/draw/draw.ts'
import { buildInvoice } from '../../../generators/invoice/build.ts'
import type { Malformed } from '../../../generators/faults/invoices.ts'
import { invoiceMalformationsOf, malform } from '../../../generators/faults/invoices.ts'
import type { SemanticMalformation } from '../../../generators/faults/semantics.ts'
import { serialize } from '../../../generators/schema/serialize.ts'
import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { settleSession } from '../../../lib/flows/session.ts'
import { packBatch } from '../../../lib/node/archive.ts'
import { xsdValidator } from '../../../lib/node/xsd.ts'
import { Inconclusive } from '../../../lib/outcome.ts'
import { verify } from '../../../reference/verification/verify.ts'
import { policy } from '../../../reference/policy/policy.ts'
import { formCodes } from '../../../suites/support/checks/forms.ts'
import { listInvoices } from '../../../suites/support/steps/packages.ts'
import { complaintsAbout } from '../../generators/prove.ts'
import {
  compile,
  havePublished,
  provideBaseTypes,
  PUBLISHED,
  readOwn,
  readPublished,
} from '../../generators/schema-equivalence/verdict.ts'
import type { SoakBench } from './bench.ts'
import { openBench } from './bench.ts'
import { sessionLimits } from './session-limits.ts'
import { isOurs, tried } from './tried.ts'
import type { SoakOptions, Tried } from './tried.ts'

/**
 * Every class of malformed invoice: sent to the reference in packages, each beside the document that it was made of,
 * which must be accepted; and judged by two validators, one of them with the published schema where that is at hand.
 */

const publishedFiles = {
  fa2: 'fa/schemat_FA(2)_v1-0E.xsd',
  fa3: 'fa/schemat_FA(3)_v1-0E.xsd',
} as const

/** The validators that did not make the documents: the published schema where there is one, else our own. */
export function publishedValidator(schema: InvoiceSchemaId): XsdValidator {
  if (!havePublished() || !existsSync(PUBLISHED))
    return compile(readOwn(invoiceSchemas[schema].xsd), `soak-${schema}`)
  provideBaseTypes()
  return compile(readPublished(publishedFiles[schema]), `soak-published-${schema}`)
}

interface Made extends Malformed {
  readonly n: number
  readonly seed: number
}

/**
 * What production alone refuses, but never in FA(2), which was out of use before production opened: the verification is
 * called directly.
 */
function judgeByVerification(
  schema: InvoiceSchemaId,
  entry: SemanticMalformation,
  made: readonly Made[],
  counter: ReturnType<typeof tried>,
): void {
  const of = (content: Uint8Array) => {
    const verdict = verify(
      { content, schema, limits: sessionLimits, today: referenceDay[schema], checkDigits: true },
      policy,
    )
    return 'fault' in verdict ? verdict.fault.refusal : undefined
  }
  for (const { seed, before, bytes } of made) {
    const [good, bad] = [of(serialize(before)), of(bytes)]
    if (good !== undefined) counter.complain(`seed ${seed}: before the fault, ${good}`)
    if (bad !== entry.refusedAs)
      counter.complain(`seed ${seed}: ${bad ?? 'accepted'} instead of ${entry.refusedAs}`)
  }
}

/** Plain bytes of one package. */
const packageBytes = 30_000_000

/** The outcome of documents, by name: the refusal that the journal names and the code that the list shows. */
async function outcomes(
  bench: SoakBench,
  schema: InvoiceSchemaId,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Map<string, { readonly code: number; readonly refusal: string | undefined }>> {
  const { me } = await bench.login()
  bench.news()
  const batch = await packBatch(files)
  const session = await openBatch(me, batch, { formCode: formCodes[schema] })
  await uploadParts(me, session, batch.parts)
  await closeBatch(me, session)
  await settleSession(me, session, 'batchSession')
  const rows = await listInvoices(me, session.referenceNumber)
  const noted = new Map<unknown, string>()
  for (const entry of bench.news()) {
    if (entry.kind === 'broken') throw new Error(`the reference failed: ${String(entry['error'])}`)
    if (entry.kind === 'decision') noted.set(entry['referenceNumber'], String(entry['refusal']))
  }
  return new Map(
    rows.map(({ invoiceFileName, referenceNumber, status }) => [
      invoiceFileName ?? '',
      { code: status.code, refusal: noted.get(referenceNumber) },
    ]),
  )
}

async function judgeAtReference(
  bench: SoakBench,
  schema: InvoiceSchemaId,
  entry: SemanticMalformation,
  made: readonly Made[],
  counter: ReturnType<typeof tried>,
): Promise<void> {
  const wanted = refusal(entry.refusedAs).state?.codes[0]
  let rest = made
  while (rest.length > 0) {
    let bytes = 0
    const fits = rest.findIndex((each) => (bytes += 2 * each.bytes.length) > packageBytes)
    const now = rest.slice(0, fits < 0 ? rest.length : Math.max(1, fits))
    rest = rest.slice(now.length)
    const files: Record<string, Uint8Array> = {}
    for (const { n, before, bytes: after } of now) {
      files[`after-${n}.xml`] = after
      files[`before-${n}.xml`] = serialize(before)
    }
    const ended = await outcomes(bench, schema, files)
    for (const { n, seed } of now) {
      const good = ended.get(`before-${n}.xml`)
      const bad = ended.get(`after-${n}.xml`)
      if (good?.code !== 200)
        counter.complain(`seed ${seed}: before the fault it ends in ${good?.code} ${good?.refusal}`)
      if (bad?.code !== wanted || bad?.refusal !== entry.refusedAs)
        counter.complain(
          `seed ${seed}: it ends in ${bad?.code} ${bad?.refusal} instead of ${entry.refusedAs}`,
        )
    }
  }
}

function* madeOf(
  entry: SemanticMalformation,
  schema: InvoiceSchemaId,
  seller: string,
  { seed, each }: SoakOptions,
  counter: ReturnType<typeof tried>,
): Generator<Made> {
  for (let n = 0; n < each; n++) {
    const own = seedFrom(seed, schema, entry.id, n)
    const { document } = buildInvoice(
      {
        schema,
        seller,
        number: `S/${entry.id}/${n}`.slice(0, 256),
        issueDate: schema === 'fa2' ? '2025-12-01' : '2026-03-02',
        profile: 'general',
      },
      seededDraw(own),
    )
    try {
      yield { n, seed: own, ...malform(entry, document, own) }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      counter.skip()
    }
  }
}

/** Tries every class of malformed invoice of a schema. */
export async function* soakInvoices(
  schema: InvoiceSchemaId,
  options: SoakOptions,
): AsyncGenerator<Tried> {
  const classes = invoiceMalformationsOf(schema).filter((entry, place) =>
    isOurs(options, entry, place),
  )
  if (classes.length === 0) return
  // On a day on which the schema is in force.
  const startAt = Date.parse(`${referenceDay[schema]}T08:00:00Z`)
  const benches = new Map<'test' | 'production', SoakBench>()
  const benchFor = async (environment: 'test' | 'production' = 'test') => {
    const bench = benches.get(environment) ?? (await openBench(options.seed, environment, startAt))
    if (!benches.has(environment) && environment === 'test') {
      const { me } = await bench.login()
      await me.call('testdata.allowAttachments', { body: { nip: bench.own.nip } })
    }
    benches.set(environment, bench)
    return bench
  }
  const published = publishedValidator(schema)
  const other = xsdValidator(schema)
  try {
    for (const entry of classes) {
      const counter = tried(entry, `${schema} ${entry.id}`)
      const unreachable = schema === 'fa2' && entry.onlyIn === 'production'
      const bench = await benchFor(unreachable ? 'test' : entry.onlyIn)
      const made = [...madeOf(entry, schema, bench.own.nip, options, counter)]
      for (const each of made) {
        const [complaint] = complaintsAbout(entry, each, published)
        counter.count(complaint && `seed ${each.seed}: ${complaint}`)
      }
      if (entry.seenBy !== 'bytes') {
        const found = [...other.problemsOfEach(made.map(({ bytes }) => bytes))]
        for (const [at, problems] of found.entries())
          if (problems.length > 0 !== (entry.seenBy !== 'service'))
            counter.complain(
              `seed ${made[at]!.seed}: libxmljs2 says ${problems[0] ?? 'it is valid'}`,
            )
      }
      try {
        if (unreachable) judgeByVerification(schema, entry, made, counter)
        // In packages they are allowed: suites/invoices/size.spec.ts sends one by itself.
        else if (entry.refusedAs !== 'attachment-not-allowed')
          await judgeAtReference(bench, schema, entry, made, counter)
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error
        counter.complain(error.message)
      }
      yield counter.done()
    }
  } finally {
    for (const bench of benches.values()) await bench.close()
  }
}
