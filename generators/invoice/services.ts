import type { Item, Shop } from './item.ts'
import { item } from './item.ts'

/** Shops that sell services, construction works among them. */

const works: readonly Item[] = [
  item('Roboty ziemne', 'm3', [3_000, 12_000], { pkwiu: '43.12.12.0', min: 40, max: 400 }),
  item('Fundamenty', 'm3', [60_000, 140_000], { pkwiu: '43.99.40.0', min: 20, max: 80 }),
  item('Konstrukcja żelbetowa', 'm3', [90_000, 220_000], {
    pkwiu: '43.99.40.0',
    min: 20,
    max: 60,
  }),
  item('Pokrycie dachu', 'm2', [9_000, 30_000], { pkwiu: '43.91.19.0', min: 90, max: 300 }),
  item('Instalacja elektryczna', 'kpl.', [300_000, 1_500_000], {
    pkwiu: '43.21.10.2',
    max: 1,
  }),
  item('Tynki i wylewki', 'm2', [3_500, 12_000], { pkwiu: '43.31.10.0', min: 120, max: 600 }),
  item('Stolarka okienna', 'm2', [60_000, 140_000], {
    pkwiu: '43.32.10.0',
    min: 12,
    max: 50,
  }),
  item('Instalacja wodno-kanalizacyjna', 'kpl.', [400_000, 1_200_000], {
    pkwiu: '43.22.11.0',
    max: 1,
  }),
].map((each) => ({ ...each, annex15: true, building: true }))

export const services: readonly Shop[] = [
  {
    kind: 'services',
    agreed: ['contract', 'order'],
    abroad: true,
    at: {
      '23': [
        item('Usługa doradcza & szkolenie', 'godz.', [8_000, 40_000], {
          pkwiu: '70.22.11.0',
          gtu: 'GTU_12',
        }),
        item('Tłumaczenie pisemne', 'str.', [3_000, 9_000], {
          pkwiu: '74.30.11.0',
        }),
        item('Obsługa księgowa', 'mies.', [40_000, 250_000], {
          pkwiu: '69.20.23.0',
          gtu: 'GTU_12',
        }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['contract', 'order'],
    advances: true,
    abroad: true,
    at: {
      '23': [
        item('Projekt graficzny', 'usł.', [30_000, 250_000], {
          pkwiu: '74.10.19.0',
          lettered: true,
        }),
        item('Kampania reklamowa', 'usł.', [100_000, 900_000], {
          pkwiu: '73.11.11.0',
          gtu: 'GTU_12',
        }),
        item('Sesja zdjęciowa', 'godz.', [15_000, 60_000], { pkwiu: '74.20.23.0', max: 12 }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    continuous: true,
    abroad: true,
    at: {
      '23': [
        item('Serwis oprogramowania – abonament', 'mies.', [20_000, 300_000], {
          pkwiu: '62.02.30.0',
        }),
        item('Transfer danych', 'GB', [2, 30], { pkwiu: '63.11.13.0', fine: 8 }),
        item('Wywołania API', 'tys.', [5, 60], { pkwiu: '63.11.12.0', fine: 6 }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['contract', 'order'],
    abroad: true,
    at: {
      '23': [
        item('Usługa transportowa', 'km', [250, 900], { pkwiu: '49.41.19.0', gtu: 'GTU_13' }),
        item('Załadunek i rozładunek', 'godz.', [8_000, 20_000], {
          pkwiu: '52.24.19.0',
          max: 10,
        }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    at: {
      '23': [
        item('Sprzątanie biura', 'm2', [150, 1_200], { pkwiu: '81.21.10.0', min: 60, max: 900 }),
        item('Mycie okien', 'm2', [400, 1_500], { pkwiu: '81.22.11.0', min: 15, max: 120 }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['order'],
    advances: true,
    at: {
      '8': [item('Nocleg ze śniadaniem', 'doba', [15_000, 60_000], { pkwiu: '55.10.10.0' })],
      '23': [
        item('Najem sali', 'godz.', [5_000, 25_000], { pkwiu: '68.20.12.0' }),
        item('Parking strzeżony', 'doba', [2_000, 6_000], { pkwiu: '52.21.24.0' }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['order'],
    advances: true,
    at: {
      '8': [
        item('Przewóz osób', 'km', [200, 800], { pkwiu: '49.39.11.0' }),
        item('Wynajem autokaru z kierowcą', 'doba', [90_000, 250_000], { pkwiu: '49.39.31.0' }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    continuous: true,
    at: {
      '8': [
        item('Dostarczanie wody', 'm3', [300, 900], { pkwiu: '36.00.20.0' }),
        // A fixed charge without a quantity: no more water is drained than was supplied.
        item('Odbiór ścieków, opłata stała', 'mies.', [2_000, 9_000], { pkwiu: '37.00.11.0' }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: [],
    at: { '4': [item('Przejazd taksówką', 'km', [250, 700], { pkwiu: '49.32.11.0', max: 60 })] },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    at: {
      margin: [item('Wycieczka „Tatry”', 'os.', [40_000, 250_000], { margin: 'P_PMarzy_2' })],
    },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    advances: true,
    at: {
      exempt: [
        item('Lekcja języka obcego', 'godz.', [6_000, 20_000], {
          min: 20,
          max: 60,
          exempt: { act: 'art. 43 ust. 1 pkt 28', directive: 'art. 132 ust. 1 lit. i' },
        }),
      ],
    },
  },
  {
    kind: 'services',
    agreed: [],
    at: {
      exempt: [
        item('Badanie lekarskie', 'usł.', [8_000, 40_000], {
          exempt: { act: 'art. 43 ust. 1 pkt 19', directive: 'art. 132 ust. 1 lit. c' },
        }),
        item('Rehabilitacja', 'godz.', [8_000, 20_000], {
          max: 12,
          exempt: { act: 'art. 43 ust. 1 pkt 19', directive: 'art. 132 ust. 1 lit. c' },
        }),
      ],
      '23': [item('Zaświadczenie dla ubezpieczyciela', 'usł.', [3_000, 9_000])],
    },
  },
  {
    kind: 'services',
    agreed: ['contract'],
    at: {
      exempt: [
        item('Pośrednictwo ubezpieczeniowe', 'usł.', [20_000, 200_000], {
          max: 1,
          exempt: { act: 'art. 43 ust. 1 pkt 37', directive: 'art. 135 ust. 1 lit. a' },
        }),
      ],
      '23': [item('Wycena szkody', 'usł.', [20_000, 80_000], { pkwiu: '66.21.10.0' })],
    },
  },
  {
    kind: 'works',
    agreed: ['contract', 'order'],
    advances: true,
    at: { '23': works, '8': works },
  },
]
