import { schema } from '../../contract/schemas.ts'
import type { ContextIdentifier } from './entities.ts'

const patterns = Object.fromEntries(
  (['Nip', 'InternalId', 'NipVatUe', 'Pesel', 'PeppolId'] as const).map((kind) => [
    kind,
    new RegExp(String(schema(kind)?.['pattern']), 'u'),
  ]),
)

/** Whether the value of an identifier has the form of its kind. Kinds without a form of their own take any value. */
export const contextFits = (
  identifier: ContextIdentifier | { type: string; value: string },
): boolean => patterns[identifier.type]?.test(identifier.value) ?? true
