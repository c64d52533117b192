/** The words of the charts of load, one set for each language of the report page. */
export interface ChartWords {
  readonly seconds: string
  readonly aSecond: string
  readonly series: Readonly<
    Record<'calls' | 'accepted' | 'otherRefusals' | 'unanswered' | 'dropped' | 'inFlight', string>
  >
  readonly milliseconds: string
  readonly invoices: string
  readonly windowUsed: string
  readonly windows: Readonly<Record<'perSecond' | 'perMinute' | 'perHour', string>>
  readonly outcomes: string
  readonly latency: string
  readonly pace: string
  readonly underWay: string
  /** Captions; each point of a chart covers this number of seconds. */
  readonly outcomesCaption: (seconds: number) => string
  readonly latencyCaption: (seconds: number) => string
  readonly paceCaption: (contexts: number) => string
  readonly underWayCaption: string
}

const each = (seconds: number): string => (seconds === 1 ? 'second' : `${seconds} seconds`)

const en: ChartWords = {
  seconds: 'time, s',
  aSecond: 'a second',
  series: {
    calls: 'calls',
    accepted: 'accepted',
    otherRefusals: 'other refusals',
    unanswered: 'without an answer',
    dropped: 'dropped',
    inFlight: 'in flight (peak)',
  },
  milliseconds: 'ms (logarithmic)',
  invoices: 'invoices',
  windowUsed: 'window used, %',
  windows: { perSecond: 'second', perMinute: 'minute', perHour: 'hour' },
  outcomes: 'Calls and their outcomes',
  latency: 'Latency from the intended start',
  pace: 'Pace against the limits',
  underWay: 'In flight',
  outcomesCaption: (seconds) =>
    `By the moment at which each call was due, for each ${each(seconds)}.`,
  latencyCaption: (seconds) =>
    `Percentiles of the calls that were due in each ${each(seconds)}; a stall shows in every call that it held up.`,
  paceCaption: (contexts) =>
    `How full the windows ${contexts === 1 ? '' : 'of the first context '}are, as the client counts; 100 % is the threshold.`,
  underWayCaption: 'Calls that were sent and not answered yet.',
}

const pl: ChartWords = {
  seconds: 'czas, s',
  aSecond: 'na sekundę',
  series: {
    calls: 'żądania',
    accepted: 'przyjęte',
    otherRefusals: 'inne odmowy',
    unanswered: 'bez odpowiedzi',
    dropped: 'pominięte',
    inFlight: 'w toku (maksimum)',
  },
  milliseconds: 'ms (skala logarytmiczna)',
  invoices: 'faktury',
  windowUsed: 'wykorzystanie okna, %',
  windows: { perSecond: 'sekunda', perMinute: 'minuta', perHour: 'godzina' },
  outcomes: 'Żądania i ich wyniki',
  latency: 'Opóźnienie od planowanego startu',
  pace: 'Tempo a limity',
  underWay: 'W toku',
  outcomesCaption: (seconds) =>
    seconds === 1
      ? 'Według chwili, na którą zaplanowano żądanie, sekunda po sekundzie.'
      : `Według chwili, na którą zaplanowano żądanie, w odcinkach po ${seconds} s.`,
  latencyCaption: (seconds) =>
    `Percentyle opóźnień żądań zaplanowanych w kolejnych odcinkach (${seconds} s); przestój usługi widać w każdym żądaniu, które na niego trafiło.`,
  paceCaption: (contexts) =>
    `Zapełnienie okien limitów ${contexts === 1 ? '' : 'pierwszego kontekstu '}według rachunku klienta; 100 % to próg.`,
  underWayCaption: 'Żądania wysłane, na które nie ma jeszcze odpowiedzi.',
}

export const chartWords = { en, pl } as const
