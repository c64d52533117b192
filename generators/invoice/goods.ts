import type { Shop } from './item.ts'
import { item } from './item.ts'

/** Shops that sell goods. */

const laptop = item('Laptop 14"', 'szt.', [200_000, 600_000], {
  cn: '8471 30 00',
  pkwiu: '26.20.11.0',
  gtu: 'GTU_06',
  annex15: true,
})
const paper = item('Papier ksero A4, 500 ark.', 'szt.', [1_500, 3_000], { cn: '4802 56 20' })
const gloves = item('Rękawice robocze, rozm. 9', 'para', [300, 3_000], { cn: '6116 10 20' })
const bread = item('Chleb żytni', 'szt.', [400, 1_200], {
  cn: '1905 90 30',
  pkwiu: '10.71.11.0',
})
const apples = item('Jabłka odmiany Ligol', 'kg', [200, 600], { cn: '0808 10 80' })

export const goods: readonly Shop[] = [
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    abroad: true,
    retail: true,
    at: {
      '23': [
        item('Farba biała 10 l', 'szt.', [6_000, 18_000], { cn: '3209 10 00' }),
        item('Śruba M8 ocynkowana', 'kg', [800, 2_500], { cn: '7318 15 88', pkwiu: '25.94.11.0' }),
        item('Żarówka LED <9 W>', 'szt.', [500, 2_500], { cn: '8539 52 00' }),
        item('Deska dębowa 28×140 mm', 'm', [2_000, 6_000], { cn: '4409 29 91' }),
        item('Kabel YDYp 3×2,5 mm²', 'm', [350, 900], { cn: '8544 49 91', fine: 4 }),
        item('Wiertarka udarowa 750 W', 'szt.', [19_900, 69_900], { cn: '8467 21 10' }),
        gloves,
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    deposit: true,
    retail: true,
    at: {
      '8': [
        item('Cukier biały 1 kg', 'szt.', [300, 500], { cn: '1701 99 10' }),
        item('Przyprawa "Zioła & sól" 50 g', 'szt.', [300, 1_500], { cn: '0910 91 05' }),
      ],
      '23': [
        item('Woda mineralna 1,5 l', 'szt.', [150, 400], { cn: '2201 10 11' }),
        item('Kawa ziarnista 1 kg', 'szt.', [4_000, 12_000], {
          cn: '0901 21 00',
          pkwiu: '10.83.11.0',
        }),
        item('Wino wytrawne 0,75 l', 'szt.', [1_900, 9_000], {
          cn: '2204 21 79',
          gtu: 'GTU_01',
        }),
      ],
      '5': [bread, apples],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    advances: true,
    abroad: true,
    retail: true,
    at: {
      '23': [
        laptop,
        item('Kabel zasilający 1,5 m', 'szt.', [900, 4_000], { cn: '8544 42 90' }),
        item('Krzesło biurowe "Ergo"', 'szt.', [25_000, 120_000], { cn: '9401 39 00' }),
        item('Monitor 27"', 'szt.', [70_000, 220_000], { cn: '8528 52 10' }),
        paper,
      ],
      '5': [
        item('Książka „Ćma i świeca”', 'szt.', [2_500, 8_000], {
          cn: '4901 99 00',
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['order'],
    advances: true,
    retail: true,
    at: {
      '23': [
        item('Kosiarka elektryczna', 'szt.', [39_900, 149_900], { cn: '8433 11 10' }),
        item('Ziemia do kwiatów 50 l', 'szt.', [1_500, 3_500], { cn: '2703 00 00' }),
        gloves,
      ],
      '8': [
        item('Nawóz ogrodniczy 5 kg', 'szt.', [1_900, 6_900], { cn: '3105 20 10' }),
        item('Sadzonka jabłoni', 'szt.', [1_900, 4_900], { cn: '0602 20 20' }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['order'],
    retail: true,
    at: {
      '8': [
        item('Insulina, wstrzykiwacz', 'szt.', [3_000, 12_000], {
          cn: '3004 31 00',
          pkwiu: '21.20.13.0',
          gtu: 'GTU_09',
          personal: true,
        }),
        item('Plastry opatrunkowe', 'szt.', [400, 1_500], { cn: '3005 10 00' }),
      ],
      '23': [item('Krem z filtrem SPF 50', 'szt.', [2_900, 9_900], { cn: '3304 99 00' })],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    abroad: true,
    retail: true,
    at: {
      '23': [
        item('Klocki hamulcowe', 'kpl.', [6_000, 40_000], {
          cn: '8708 30 91',
          gtu: 'GTU_07',
          annex15: true,
        }),
        item('Filtr oleju', 'szt.', [1_900, 7_900], { cn: '8421 23 00' }),
        item('Opona letnia 205/55 R16', 'szt.', [19_900, 59_900], { cn: '4011 10 00' }),
        item('Akumulator 74 Ah', 'szt.', [34_900, 69_900], { cn: '8507 10 20', annex15: true }),
        item('Olej silnikowy 5W-30, 4 l', 'szt.', [8_000, 20_000], {
          cn: '2710 19 81',
          gtu: 'GTU_03',
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    loads: ['liquid'],
    at: {
      '23': [
        item('Olej napędowy', 'l', [400, 650], {
          cn: '2710 19 43',
          gtu: 'GTU_02',
          annex15: true,
          excise: 'refunded',
          fine: 5,
        }),
        item('Benzyna bezołowiowa 95', 'l', [420, 680], {
          cn: '2710 12 45',
          gtu: 'GTU_02',
          annex15: true,
          excise: 'kept',
          fine: 5,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    loads: ['carton', 'packaging'],
    at: {
      '23': [
        item('Tytoń do palenia', 'kg', [50_000, 90_000], {
          cn: '2403 19 10',
          gtu: 'GTU_04',
          excise: 'kept',
        }),
        item('Gilzy papierosowe 500 szt.', 'szt.', [900, 2_500], { cn: '4813 10 00' }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    loads: ['solid', 'loose'],
    at: {
      '23': [
        item('Złom stalowy', 'kg', [80, 200], {
          cn: '7204 49 90',
          pkwiu: '38.11.58.0',
          gtu: 'GTU_05',
          annex15: true,
          fine: 4,
        }),
        item('Złom aluminiowy', 'kg', [400, 900], {
          cn: '7602 00 90',
          pkwiu: '38.11.58.0',
          gtu: 'GTU_05',
          annex15: true,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    advances: true,
    abroad: true,
    loads: ['bundle'],
    at: {
      '23': [
        item('Pręt zbrojeniowy żebrowany', 't', [250_000, 380_000], {
          cn: '7214 20 00',
          pkwiu: '24.10.62.0',
          gtu: 'GTU_08',
          annex15: true,
        }),
        item('Blacha trapezowa T18', 'm2', [3_500, 7_500], { cn: '7216 91 10', annex15: true }),
        item('Kształtownik HEB 200', 't', [420_000, 560_000], {
          cn: '7216 33 90',
          pkwiu: '24.10.71.0',
          gtu: 'GTU_08',
          annex15: true,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    advances: true,
    uncarried: true,
    at: {
      '23': [
        item('Działka budowlana', 'm2', [10_000, 60_000], {
          gtu: 'GTU_10',
          min: 400,
          max: 2_500,
        }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    continuous: true,
    uncarried: true,
    at: {
      '23': [
        item('Energia elektryczna', 'kWh', [45, 110], { cn: '2716 00 00', fine: 5 }),
        item('Gaz ziemny', 'kWh', [18, 42], { cn: '2711 21 00', fine: 8 }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract', 'order'],
    advances: true,
    retail: true,
    loads: ['crate'],
    at: {
      zero: [item('Tratwa ratunkowa', 'szt.', [300_000, 900_000], { cn: '8907 10 00' })],
      '23': [item('Lina cumownicza', 'm', [900, 4_000], { cn: '5607 50 11' })],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    continuous: true,
    uncarried: true,
    at: {
      reverse: [
        item('Energia elektryczna', 'MWh', [30_000, 80_000], { cn: '2716 00 00', fine: 6 }),
      ],
    },
  },
  {
    kind: 'goods',
    agreed: ['contract'],
    uncarried: true,
    at: { reverse: [item('Uprawnienia do emisji', 'szt.', [25_000, 42_000], { gtu: 'GTU_11' })] },
  },
]
