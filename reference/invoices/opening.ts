/** What every opening of a session or export brings: a form code, an encrypted key, an IV. */

import type { FormCode, SessionForm } from '../../contract/environments.ts'
import { furtherForms, invoiceSchemas } from '../../contract/environments.ts'
import type { Service } from '../call/service.ts'
import type { Session } from '../model/documents.ts'
import { fromBase64 } from '../base/crypto.ts'
import { dayOf } from '../base/identifiers.ts'
import type { Status } from '../base/refusals.ts'
import { refuse, statusOf } from '../base/refusals.ts'
import { isMisencrypted } from '../keys/misencrypted.ts'
import { explainKey } from '../verification/explain.ts'
import type { Encryption } from '../verification/verify.ts'

export interface KeyFields {
  readonly encryptedSymmetricKey: string
  readonly initVector: string
  readonly publicKeyId?: string | null
}

/** A key and, where a bad key is not refused immediately, how what was opened with it ends. */
export interface Opening extends Encryption {
  readonly refused?: Status
}

/**
 * The symmetric key that a caller handed over.
 * @throws refusals session-key-refused, public-key-unknown
 */
export const readKey = (service: Service, body: KeyFields): Opening => {
  const { policy, keys, clock, journal, explain, dialect } = service
  const now = clock.now()
  const wrappedKey = fromBase64(body.encryptedSymmetricKey)
  const iv = fromBase64(body.initVector)
  const opened =
    wrappedKey === undefined
      ? undefined
      : keys.decrypt(
          policy,
          'SymmetricKeyEncryption',
          wrappedKey,
          now,
          body.publicKeyId ?? undefined,
        )
  if (opened === 'unknown-key')
    throw refuse('public-key-unknown', `publicKeyId ${body.publicKeyId}`)
  if (
    wrappedKey !== undefined &&
    opened !== undefined &&
    iv !== undefined &&
    policy.sessionKeyFits(opened) &&
    policy.initVectorFits(iv)
  )
    return { key: opened, iv, wrappedKey }
  const listed = keys.published(policy, now)
  const explanation = explainKey(
    wrappedKey,
    iv,
    listed.map(({ usage, privateKey }) => ({ usage, key: privateKey, current: true })),
  )
  const misencrypted =
    opened !== undefined ||
    iv === undefined ||
    wrappedKey === undefined ||
    isMisencrypted(listed, 'SymmetricKeyEncryption', wrappedKey)
  journal.add('decision', { refusal: 'session-key-refused', explanation, misencrypted })
  const details = explain ? explanation : []
  if (dialect.deferred?.includes('session-key-refused') !== true)
    throw refuse('session-key-refused', details)
  const nothing = new Uint8Array()
  return {
    key: opened ?? nothing,
    iv: iv ?? nothing,
    wrappedKey: wrappedKey ?? nothing,
    refused: statusOf('session-key-refused', dialect, details),
  }
}

/**
 * The schema that a form code names, by its parts or by its label, if it is in force today.
 * @throws refusal form-code-refused
 */
export const readFormCode = (
  service: Service,
  formCode: FormCode | string,
  kind: Session['kind'],
): SessionForm => {
  const { policy, clock, environment, dialect } = service
  if (typeof formCode !== 'string') {
    const further = dialect.forms?.find((id) => policy.formCodeFits(furtherForms[id], formCode))
    if (further !== undefined && policy.formOfKind(furtherForms[further], kind)) return further
  }
  const found = Object.values(invoiceSchemas).find((row) =>
    typeof formCode === 'string'
      ? policy.formCodeLabelFits(row, formCode)
      : policy.formCodeFits(row, formCode),
  )
  const label = typeof formCode === 'string' ? formCode : formCode.systemCode
  if (found === undefined) throw refuse('form-code-refused', `The form code ${label} is not known`)
  const today = dayOf(clock.now())
  if (!environment.schemasAlways?.includes(found.id) && !policy.schemaInForce(found, today))
    throw refuse('form-code-refused', `The form code ${label} is not in force on ${today}`)
  return found.id
}
