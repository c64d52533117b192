import type { Draw } from '../draw/draw.ts'

/** A column: its heading, and the minimum and maximum of its cells, where they count or measure. */
type Column = readonly [heading: string, min?: number, max?: number]

/** What a kind of seller states in blocks and tables. */
export interface Statement {
  readonly heading: string
  readonly sentence: string
  readonly columns: {
    /** What a row is about: what is sold, unless it says otherwise. */
    readonly txt: readonly [heading: string, cell?: (draw: Draw, row: number) => string]
    readonly date: Column
    /** In the forenoon of the row's day. */
    readonly datetime?: Column
    /** In hours. */
    readonly time?: Column
    readonly int?: Column
    /** In hundredths. */
    readonly dec?: Column
  }
}
export type ColumnType = keyof Statement['columns']

export const statements = {
  metered: {
    heading: 'Zestawienie zużycia',
    sentence: 'Rozliczenie według odczytów',
    columns: {
      txt: ['Pozycja'],
      date: ['Data odczytu'],
      int: ['Liczba odczytów', 1, 4],
      dec: ['Stan licznika', 1_000_000, 99_999_999],
    },
  },
  works: {
    heading: 'Dziennik robót',
    sentence: 'Roboty według dziennika budowy',
    columns: {
      txt: ['Miejsce', (draw) => `oś ${draw.pick(['A', 'B', 'C', 'D'])}/${draw.int(1, 9)}`],
      date: ['Data odbioru'],
      datetime: ['Początek prac'],
      time: ['Godzina odbioru', 13, 16],
      int: ['Liczba zdjęć', 2, 9],
      dec: ['Temperatura (°C)', 1_200, 1_900],
    },
  },
  services: {
    heading: 'Wykaz czynności',
    sentence: 'Czynności według zleceń',
    columns: {
      txt: ['Czynność'],
      date: ['Data'],
      datetime: ['Chwila zgłoszenia'],
      time: ['Godzina potwierdzenia', 13, 17],
      int: ['Liczba dokumentów', 1, 4],
    },
  },
  goods: {
    heading: 'Specyfikacja wysyłki',
    sentence: 'Zapakowano według zamówienia',
    columns: {
      txt: ['Opakowanie', (_draw, row) => `opakowanie ${row + 1}`],
      date: ['Data pakowania'],
      datetime: ['Chwila zamknięcia'],
      time: ['Godzina załadunku', 13, 18],
      int: ['Liczba warstw', 1, 5],
      dec: ['Wysokość (cm)', 2_000, 18_000],
    },
  },
  handed: {
    heading: 'Protokół przekazania',
    sentence: 'Przekazano zgodnie z umową',
    columns: {
      txt: ['Przedmiot'],
      date: ['Data przekazania'],
      datetime: ['Chwila przekazania'],
      time: ['Godzina podpisania', 13, 16],
      int: ['Liczba dokumentów', 1, 4],
    },
  },
  ordered: {
    heading: 'Zakres zamówienia',
    sentence: 'Terminy według zamówienia',
    columns: {
      txt: ['Pozycja'],
      date: ['Planowany termin'],
      int: ['Liczba etapów', 1, 4],
    },
  },
  corrected: {
    heading: 'Wykaz korygowanych faktur',
    sentence: 'Korekta dotyczy wymienionych faktur',
    columns: {
      txt: ['Faktura'],
      date: ['Data wystawienia'],
      int: ['Liczba stron', 1, 3],
    },
  },
} as const satisfies Readonly<Record<string, Statement>>

export type StatementId = keyof typeof statements
