import type { FaultKind } from '../../lib/outcome.ts'

/** The kind of a fault: as named by the code that threw, or a fault of time. */
export type Kind = FaultKind | 'time'

/** Our own texts in Allure's report, one set for each language of the report page. */
export interface AllureWords {
  /** What a category is called, by the kind of fault. */
  readonly kinds: Readonly<Record<Kind, string>>
  readonly categories: Readonly<
    Record<'notRun' | 'failed' | 'undecided' | 'warning' | 'known' | 'unverified', string>
  >
  readonly environment: Readonly<
    Record<
      'verdict' | 'coverage' | 'target' | 'seed' | 'namespace' | 'assay' | 'started' | 'finished',
      string
    >
  >
  readonly clause: string
}

const en: AllureWords = {
  kinds: {
    'missing refusal': 'Accepted, where a refusal is due',
    'unexpected refusal': 'Refused, where a success is due',
    'wrong code': 'Refused with another status or code',
    shape: 'An answer does not have the shape of the contract',
    'server error': 'The service answered 5xx',
    time: 'Time: expiry, clock or rate',
    environment: 'Environment: the target did not answer',
  },
  categories: {
    notRun: 'Not run: the run is incomplete',
    failed: 'The rule does not hold',
    undecided: 'No verdict',
    warning: 'Warning: a recommendation (SHOULD) does not hold',
    known: 'Known failure',
    unverified: 'Not verified on this target',
  },
  environment: {
    verdict: 'verdict',
    coverage: 'coverage',
    target: 'target',
    seed: 'seed',
    namespace: 'namespace',
    assay: 'assay',
    started: 'started',
    finished: 'finished',
  },
  clause: 'Clause',
}

const pl: AllureWords = {
  kinds: {
    'missing refusal': 'Przyjęto, choć należało odrzucić',
    'unexpected refusal': 'Odrzucono, choć należało przyjąć',
    'wrong code': 'Odrzucono z innym statusem lub kodem',
    shape: 'Odpowiedź ma inną postać, niż przewiduje specyfikacja',
    'server error': 'Usługa odpowiedziała błędem 5xx',
    time: 'Czas: ważność, zegar lub limity',
    environment: 'Środowisko: usługa nie odpowiedziała',
  },
  categories: {
    notRun: 'Nie wykonano: przebieg jest niepełny',
    failed: 'Wymaganie nie jest spełnione',
    undecided: 'Brak rozstrzygnięcia',
    warning: 'Ostrzeżenie: zalecenie (SHOULD) nie jest spełnione',
    known: 'Znany błąd',
    unverified: 'Nie sprawdzono w tej usłudze',
  },
  environment: {
    verdict: 'wynik',
    coverage: 'zakres',
    target: 'usługa',
    seed: 'ziarno losowości',
    namespace: 'przestrzeń nazw',
    assay: 'assay',
    started: 'początek',
    finished: 'koniec',
  },
  clause: 'Punkt specyfikacji',
}

export const allureWords = { en, pl } as const
