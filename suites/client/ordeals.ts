import type { Ordeal } from './ordeal.ts'
import { accessTokenExpires } from './ordeals/access-token-expires.ts'
import { answersCut } from './ordeals/answers-cut.ts'
import { authenticationTokenExpires } from './ordeals/authentication-token-expires.ts'
import { batchAddressExpires } from './ordeals/batch-address-expires.ts'
import { batchCloseAnswerLost } from './ordeals/batch-close-answer-lost.ts'
import { batchPackageRefused } from './ordeals/batch-package-refused.ts'
import { batchUploadFails } from './ordeals/batch-upload-fails.ts'
import { burst } from './ordeals/burst.ts'
import { chunkedAnswers } from './ordeals/chunked-answers.ts'
import { clockAhead } from './ordeals/clock-ahead.ts'
import { clockBehind } from './ordeals/clock-behind.ts'
import { closeAnswerLost } from './ordeals/close-answer-lost.ts'
import { dribbledAnswers } from './ordeals/dribbled-answers.ts'
import { duplicateOfEarlierRun } from './ordeals/duplicate-of-earlier-run.ts'
import { expiredKeyListed } from './ordeals/expired-key-listed.ts'
import { exportFailsOnce } from './ordeals/export-fails-once.ts'
import { fault500 } from './ordeals/fault-500.ts'
import { fault502 } from './ordeals/fault-502.ts'
import { fault503 } from './ordeals/fault-503.ts'
import { faultOnSubmit } from './ordeals/fault-on-submit.ts'
import { formNotInForce } from './ordeals/form-not-in-force.ts'
import { gzippedAnswers } from './ordeals/gzipped-answers.ts'
import { keepAliveClosed } from './ordeals/keep-alive-closed.ts'
import { keyRotatedBeforeLogin } from './ordeals/key-rotated-before-login.ts'
import { keyRotatedBeforeOpen } from './ordeals/key-rotated-before-open.ts'
import { keyRotatedBetweenSessions } from './ordeals/key-rotated-between-sessions.ts'
import { killedAfterSubmit } from './ordeals/killed-after-submit.ts'
import { killedAtClose } from './ordeals/killed-at-close.ts'
import { killedAtDrawnMoments } from './ordeals/killed-at-drawn-moments.ts'
import { killedBeforeSubmit } from './ordeals/killed-before-submit.ts'
import { killedInBatch } from './ordeals/killed-in-batch.ts'
import { limitOfTheHour } from './ordeals/limit-of-the-hour.ts'
import { limitOnBatch } from './ordeals/limit-on-batch.ts'
import { limitOnClose } from './ordeals/limit-on-close.ts'
import { limitOnLogin } from './ordeals/limit-on-login.ts'
import { limitOnOpen } from './ordeals/limit-on-open.ts'
import { limitOnQuery } from './ordeals/limit-on-query.ts'
import { limitOnStatus } from './ordeals/limit-on-status.ts'
import { limitOnSubmit } from './ordeals/limit-on-submit.ts'
import { limitWithoutBody } from './ordeals/limit-without-body.ts'
import { loginAnswerLost } from './ordeals/login-answer-lost.ts'
import { loginRevoked } from './ordeals/login-revoked.ts'
import { maintenance } from './ordeals/maintenance.ts'
import { membersReordered } from './ordeals/members-reordered.ts'
import { openAnswerLost } from './ordeals/open-answer-lost.ts'
import { pendingForLong } from './ordeals/pending-for-long.ts'
import { permissionWithdrawn } from './ordeals/permission-withdrawn.ts'
import { quietBatch } from './ordeals/quiet-batch.ts'
import { quietDay } from './ordeals/quiet-day.ts'
import { receiptLate } from './ordeals/receipt-late.ts'
import { receiptLinkExpired } from './ordeals/receipt-link-expired.ts'
import { receiptPages } from './ordeals/receipt-pages.ts'
import { redeemAnswerLost } from './ordeals/redeem-answer-lost.ts'
import { refreshAnswerLost } from './ordeals/refresh-answer-lost.ts'
import { refreshTokenExpires } from './ordeals/refresh-token-expires.ts'
import { refusedConnection } from './ordeals/refused-connection.ts'
import { rejectedForMeaning } from './ordeals/rejected-for-meaning.ts'
import { rejectedForSchema } from './ordeals/rejected-for-schema.ts'
import { sessionClosedByOperator } from './ordeals/session-closed-by-operator.ts'
import { sessionExpires } from './ordeals/session-expires.ts'
import { sessionFull } from './ordeals/session-full.ts'
import { simulatedLimits } from './ordeals/simulated-limits.ts'
import { slowAnswers } from './ordeals/slow-answers.ts'
import { slowBatch } from './ordeals/slow-batch.ts'
import { slowProcessing } from './ordeals/slow-processing.ts'
import { submitAnswerCut } from './ordeals/submit-answer-cut.ts'
import { submitAnswerLostAfter } from './ordeals/submit-answer-lost-after.ts'
import { submitAnswerLostBefore } from './ordeals/submit-answer-lost-before.ts'
import { submitReset } from './ordeals/submit-reset.ts'
import { syncArrivals } from './ordeals/sync-arrivals.ts'
import { syncByExport } from './ordeals/sync-by-export.ts'
import { syncEqualTimestamps } from './ordeals/sync-equal-timestamps.ts'
import { syncHighWaterMark } from './ordeals/sync-high-water-mark.ts'
import { syncInProduction } from './ordeals/sync-in-production.ts'
import { syncPages } from './ordeals/sync-pages.ts'
import { syncTruncated } from './ordeals/sync-truncated.ts'
import { tokenRevoked } from './ordeals/token-revoked.ts'
import { twoValidKeys } from './ordeals/two-valid-keys.ts'
import { unknownCodes } from './ordeals/unknown-codes.ts'
import { unknownFields } from './ordeals/unknown-fields.ts'
import { wrongUsageFirst } from './ordeals/wrong-usage-first.ts'

/** Every ordeal, in the order of a full examination. */
export const ordeals = {
  'quiet-day': quietDay,
  'quiet-batch': quietBatch,
  'slow-processing': slowProcessing,
  'slow-batch': slowBatch,
  burst: burst,
  'simulated-limits': simulatedLimits,
  'limit-on-submit': limitOnSubmit,
  'limit-of-the-hour': limitOfTheHour,
  'limit-on-open': limitOnOpen,
  'limit-on-close': limitOnClose,
  'limit-on-status': limitOnStatus,
  'limit-on-login': limitOnLogin,
  'limit-on-batch': limitOnBatch,
  'limit-on-query': limitOnQuery,
  'limit-without-body': limitWithoutBody,
  'submit-answer-lost-before': submitAnswerLostBefore,
  'submit-answer-lost-after': submitAnswerLostAfter,
  'submit-answer-cut': submitAnswerCut,
  'submit-reset': submitReset,
  'open-answer-lost': openAnswerLost,
  'close-answer-lost': closeAnswerLost,
  'batch-close-answer-lost': batchCloseAnswerLost,
  'redeem-answer-lost': redeemAnswerLost,
  'refresh-answer-lost': refreshAnswerLost,
  'login-answer-lost': loginAnswerLost,
  'answers-cut': answersCut,
  'fault-500': fault500,
  'fault-502': fault502,
  'fault-503': fault503,
  'fault-on-submit': faultOnSubmit,
  maintenance: maintenance,
  'refused-connection': refusedConnection,
  'slow-answers': slowAnswers,
  'dribbled-answers': dribbledAnswers,
  'chunked-answers': chunkedAnswers,
  'gzipped-answers': gzippedAnswers,
  'keep-alive-closed': keepAliveClosed,
  'members-reordered': membersReordered,
  'unknown-fields': unknownFields,
  'unknown-codes': unknownCodes,
  'access-token-expires': accessTokenExpires,
  'refresh-token-expires': refreshTokenExpires,
  'login-revoked': loginRevoked,
  'token-revoked': tokenRevoked,
  'permission-withdrawn': permissionWithdrawn,
  'authentication-token-expires': authenticationTokenExpires,
  'clock-ahead': clockAhead,
  'clock-behind': clockBehind,
  'key-rotated-before-open': keyRotatedBeforeOpen,
  'key-rotated-before-login': keyRotatedBeforeLogin,
  'key-rotated-between-sessions': keyRotatedBetweenSessions,
  'two-valid-keys': twoValidKeys,
  'expired-key-listed': expiredKeyListed,
  'wrong-usage-first': wrongUsageFirst,
  'rejected-for-schema': rejectedForSchema,
  'rejected-for-meaning': rejectedForMeaning,
  'duplicate-of-earlier-run': duplicateOfEarlierRun,
  'killed-before-submit': killedBeforeSubmit,
  'killed-after-submit': killedAfterSubmit,
  'killed-at-close': killedAtClose,
  'killed-at-drawn-moments': killedAtDrawnMoments,
  'killed-in-batch': killedInBatch,
  'session-expires': sessionExpires,
  'session-full': sessionFull,
  'session-closed-by-operator': sessionClosedByOperator,
  'pending-for-long': pendingForLong,
  'receipt-late': receiptLate,
  'receipt-pages': receiptPages,
  'receipt-link-expired': receiptLinkExpired,
  'batch-upload-fails': batchUploadFails,
  'batch-address-expires': batchAddressExpires,
  'batch-package-refused': batchPackageRefused,
  'form-not-in-force': formNotInForce,
  'sync-pages': syncPages,
  'sync-equal-timestamps': syncEqualTimestamps,
  'sync-arrivals': syncArrivals,
  'sync-truncated': syncTruncated,
  'sync-high-water-mark': syncHighWaterMark,
  'sync-by-export': syncByExport,
  'export-fails-once': exportFailsOnce,
  'sync-in-production': syncInProduction,
} as const satisfies Record<string, Ordeal>

export type OrdealId = keyof typeof ordeals

export const ordealIds = Object.keys(ordeals) as OrdealId[]

export const ordeal = (id: OrdealId): Ordeal => ordeals[id]
