import { signedRequests } from './signed-request.ts'
import { catalogue } from './catalogue.ts'
import { doubtfulInvoices } from './meaning.ts'
import type { InvoiceMalformation, Malformation } from './malformation.ts'

/** The page `docs/reference/malformations.md`. */

const titles: Readonly<Record<string, string>> = {
  bytes: 'Bytes, encoding and characters',
  'well-formed': 'Well-formedness',
  doctype: 'Document types, entities, processing instructions',
  namespace: 'Namespaces and roots',
  missing: 'Missing elements',
  order: 'Order',
  choice: 'Choices',
  occurrence: 'Occurrences',
  unknown: 'Unknown and empty content, attributes, fixed values',
  values: 'Values of simple types',
  size: 'Size',
  semantics: 'Valid by the schema, refused by the service',
  'auth-request': 'Requests for authentication',
  signature: 'Signatures of requests for authentication',
  token: 'Service tokens in their envelope',
  session: 'Key, initialization vector and form code of a session',
  encryption: 'Encryption of an invoice',
  metadata: 'Hashes and sizes',
  base64: 'Base64',
  batch: 'Batch packages',
  archive: 'Archives',
  json: 'JSON bodies',
  headers: 'Headers and bearers',
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string) => `\`${cell(text)}\``

const judges: Readonly<Record<string, string>> = {
  bytes: 'the checks of bytes',
  parser: 'the parser',
  schema: 'the schema',
  service: 'the service alone',
  session: 'the session alone',
}

function row(entry: Malformation): string {
  const { seenBy, schemas, onlyIn } = entry as Partial<InvoiceMalformation> & {
    readonly onlyIn?: string
  }
  const where = [
    seenBy === undefined ? '' : judges[seenBy]!,
    schemas?.length === 1 ? `${schemas[0] === 'fa3' ? 'FA(3)' : 'FA(2)'} only` : '',
    onlyIn === undefined ? '' : `${onlyIn} only`,
  ].filter(Boolean)
  return `| ${code(entry.id)} | ${cell(entry.summary)} | ${code(entry.refusedAs)} | ${code(entry.rule)} | ${where.join(', ')} |`
}

/** Every class, layer by layer, as Markdown. */
export function malformationsPage(): string {
  const entries = [...catalogue(), ...signedRequests]
  const layers = [...new Set(entries.map(({ layer }) => layer))]
  const counts = layers.map((layer) => {
    const title = titles[layer] ?? layer
    return `| ${title} | ${code(layer)} | ${entries.filter((each) => each.layer === layer).length} |`
  })
  const sections = layers.flatMap((layer) => [
    `## ${titles[layer] ?? layer}`,
    [
      '| Class | What is wrong | Refused as | Rule | Seen by |',
      '| --- | --- | --- | --- | --- |',
      ...entries.filter((each) => each.layer === layer).map(row),
    ].join('\n'),
  ])
  return `${[
    '# Malformations',
    '<!-- Made from generators/faults by scripts/docs.mjs; changes here are lost. -->',
    `Every way to be wrong that assay knows: ${entries.length} classes. Each breaks one rule, says which, and which refusal it must provoke (\`errors.md\` has their codes). \`assay generate --malformed CLASS\` writes documents of a class of invoices, of all that begin alike, or of a layer.`,
    ['| Layer | Name | Classes |', '| --- | --- | --- |', ...counts].join('\n'),
    ...sections,
    '## Valid and accepted, wrong in meaning',
    'The service accepts these; `assay lint` warns of each. `assay generate --malformed meaning` writes them.',
    [
      '| Class | What is wrong | Lint warns | Invoice |',
      '| --- | --- | --- | --- |',
      ...doubtfulInvoices().map(
        ({ id, summary, warns, kind, schemas }) =>
          `| ${code(id)} | ${summary} | ${code(warns)} | ${[kind, schemas.length === 1 ? (schemas[0] === 'fa3' ? 'FA(3) only' : 'FA(2) only') : undefined].filter(Boolean).join(', ')} |`,
      ),
    ].join('\n'),
  ].join('\n\n')}\n`
}
