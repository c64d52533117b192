import type { Verdict } from '../../lib/verdict.ts'
import type { Comparison } from '../compare.ts'
import type { GapState } from '../gap-outcomes.ts'
import type { RuleCounts } from '../run.ts'

/** The words of the report page, one set for each language. */
export interface Words {
  readonly title: string
  readonly verdicts: Readonly<Record<Verdict | 'not run', string>>
  readonly conclusion: Readonly<Record<string, string>>
  readonly target: string
  readonly started: string
  readonly finished: string
  readonly seed: string
  readonly version: string
  readonly summary: string
  readonly failures: string
  readonly noFailures: string
  readonly requirements: string
  readonly gaps: string
  readonly gapsIntroduction: string
  readonly search: string
  readonly show: string
  readonly everything: string
  readonly rule: string
  readonly level: string
  readonly verdict: string
  readonly checks: string
  readonly clause: string
  readonly expected: string
  readonly received: string
  readonly reason: string
  readonly likely: string
  readonly replay: string
  readonly calls: string
  readonly files: string
  readonly question: string
  readonly assumption: string
  readonly onTarget: string
  readonly gapStates: Readonly<Record<GapState, string>>
  readonly rulesOf: string
  readonly compared: string
  readonly changes: Readonly<Record<keyof Comparison, string>>
  readonly unchanged: string
  readonly load: string
  readonly defects: string
  readonly defectsCount: (caught: number, of: number) => string
  readonly survivors: string
  readonly defectsTried: string
  readonly defectsCaught: string
  readonly whichDefects: string
  readonly sameCause: (findings: number, rules: number) => string
  /** How much was verified; the line of the console where absent. */
  readonly coverage: ((verified: number, of: number, percent: number) => string) | undefined
  /** The verdict with the rules behind it; the headline of all reports where absent. */
  readonly headline: ((verdict: string, counts: RuleCounts) => string) | undefined
  readonly stake: string
  readonly areas: Readonly<Record<string, string>>
}

const en: Words = {
  title: 'Conformance report',
  verdicts: {
    pass: 'pass',
    fail: 'fail',
    warn: 'warning',
    observed: 'observed',
    known: 'known failure',
    inconclusive: 'inconclusive',
    broken: 'broken',
    'not-verifiable': 'not verifiable',
    'not-applicable': 'not applicable',
    'not run': 'not run',
  },
  conclusion: {},
  target: 'Target',
  started: 'Started',
  finished: 'Finished',
  seed: 'Seed',
  version: 'Version',
  summary: 'Summary',
  failures: 'What failed',
  noFailures: 'No check failed.',
  requirements: 'Requirements',
  gaps: 'Assumptions',
  gapsIntroduction:
    'Where the specification is silent, these assumptions were made. A check that rests on one observes a target that does not confirm it.',
  search: 'Search rules',
  show: 'Show',
  everything: 'everything',
  rule: 'Rule',
  level: 'Level',
  verdict: 'Verdict',
  checks: 'Checks',
  clause: 'Clause',
  expected: 'Expected',
  received: 'Received',
  reason: 'Reason',
  likely: 'Likely cause',
  replay: 'Replay',
  calls: 'Calls',
  files: 'Files',
  question: 'Question',
  assumption: 'Assumption',
  onTarget: 'On this target',
  gapStates: { held: 'as assumed', differed: 'different', 'not seen': 'not seen' },
  rulesOf: 'Rules',
  compared: 'Compared with the earlier run',
  changes: {
    new: 'New failures',
    fixed: 'Fixed',
    stillFailing: 'Still failing',
    noLongerVerifiable: 'No longer verifiable',
  },
  unchanged: 'Nothing changed.',
  load: 'Load',
  defects: 'Known defects',
  defectsCount: (caught, of) => `${caught} of ${of} known defects were noticed.`,
  survivors: 'Not noticed',
  defectsTried: 'Defects tried',
  defectsCaught: 'Noticed',
  whichDefects: 'Which',
  sameCause: (findings, rules) => `${findings} checks of ${rules} rules have one cause`,
  headline: undefined,
  stake: 'What a defect costs',
  coverage: undefined,
  areas: {},
}

const pl: Words = {
  title: 'Raport zgodności',
  verdicts: {
    pass: 'zgodne',
    fail: 'niezgodne',
    warn: 'ostrzeżenie',
    observed: 'zaobserwowane',
    known: 'znany błąd',
    inconclusive: 'nierozstrzygnięte',
    broken: 'błąd narzędzia',
    'not-verifiable': 'niemożliwe do sprawdzenia',
    'not-applicable': 'nie dotyczy',
    'not run': 'nie wykonano',
  },
  conclusion: {
    conformant: 'zgodny',
    'not conformant': 'niezgodny',
    incomplete: 'niepełny',
    'no verdict': 'brak rozstrzygnięcia',
    broken: 'błąd narzędzia',
  },
  target: 'Usługa',
  started: 'Początek',
  finished: 'Koniec',
  seed: 'Ziarno losowości',
  version: 'Wersja',
  summary: 'Podsumowanie',
  failures: 'Niezgodności',
  noFailures: 'Żadne sprawdzenie nie wykazało niezgodności.',
  requirements: 'Wymagania',
  gaps: 'Założenia',
  gapsIntroduction:
    'Tam, gdzie specyfikacja milczy, przyjęto poniższe założenia. Jeżeli usługa któregoś nie potwierdza, oparte na nim sprawdzenie niczego nie rozstrzyga, a tylko odnotowuje jej zachowanie.',
  search: 'Szukaj wymagań',
  show: 'Pokaż',
  everything: 'wszystko',
  rule: 'Wymaganie',
  level: 'Poziom',
  verdict: 'Wynik',
  checks: 'Sprawdzenia',
  clause: 'Punkt specyfikacji',
  expected: 'Oczekiwano',
  received: 'Otrzymano',
  reason: 'Powód',
  likely: 'Prawdopodobna przyczyna',
  replay: 'Jak powtórzyć',
  calls: 'Żądania',
  files: 'Pliki',
  question: 'Pytanie',
  assumption: 'Założenie',
  onTarget: 'W tej usłudze',
  gapStates: { held: 'zgodnie z założeniem', differed: 'inaczej', 'not seen': 'nie sprawdzono' },
  rulesOf: 'Wymagania',
  compared: 'Porównanie z wcześniejszym przebiegiem',
  changes: {
    new: 'Nowe niezgodności',
    fixed: 'Naprawione',
    stillFailing: 'Nadal niezgodne',
    noLongerVerifiable: 'Już niemożliwe do sprawdzenia',
  },
  unchanged: 'Nic się nie zmieniło.',
  load: 'Obciążenie',
  defects: 'Znane błędy',
  defectsCount: (caught, of) => `Wykryte znane błędy: ${caught} z ${of}.`,
  survivors: 'Niewykryte',
  defectsTried: 'Wypróbowane błędy',
  defectsCaught: 'Wykryte',
  whichDefects: 'Które',
  sameCause: (findings, rules) =>
    `wspólna przyczyna; liczba sprawdzeń: ${findings}, wymagań: ${rules}`,
  headline: (verdict, { failed, undecided, warned }) => {
    const counts = [
      failed > 0 && `niespełnione wymagania: ${failed}`,
      undecided > 0 && `nierozstrzygnięte: ${undecided}`,
      warned > 0 && `z ostrzeżeniem: ${warned}`,
    ].filter(Boolean)
    return [verdict, counts.join(', ')].filter(Boolean).join('; ')
  },
  stake: 'Skutek błędu',
  coverage: (verified, of, percent) => `sprawdzono ${verified} z ${of} (${percent} %)`,
  areas: {
    transport: 'Transport i wersje',
    auth: 'Uwierzytelnianie i tokeny dostępowe',
    tokens: 'Tokeny usługi',
    keys: 'Certyfikaty klucza publicznego',
    sessions: 'Sesje interaktywne i wsadowe',
    invoices: 'Wysyłanie i pobieranie faktur',
    receipts: 'Urzędowe poświadczenia odbioru (UPO)',
    queries: 'Zapytania',
    exports: 'Eksporty',
    operations: 'Operacje asynchroniczne',
    permissions: 'Uprawnienia',
    certificates: 'Certyfikaty wydawane przez usługę',
    testdata: 'Dane testowe i symulacja limitów',
    limits: 'Limity żądań i sesji',
    client: 'Obowiązki klienta',
  },
}

/** Languages of the report page. */
export const languages = { en, pl } as const
export type Language = keyof typeof languages
