/** What a defect of a rule costs a user: by the beginning of its id, the longest one first. */

export interface Stake {
  readonly en: string
  readonly pl: string
}

export const stakes: Readonly<Record<string, Stake>> = {
  transport: {
    en: 'Clients fail at the plumbing: they call a wrong address, cannot read a response, or retry what can never succeed.',
    pl: 'Klienci zawodzą już na poziomie połączenia: wywołują zły adres, nie umieją odczytać odpowiedzi albo ponawiają to, co nie może się udać.',
  },
  'transport.error-shape': {
    en: 'Clients cannot tell why a call failed, and operators search in the dark; internals in an error help an attacker.',
    pl: 'Klient nie wie, dlaczego żądanie się nie powiodło, a obsługa szuka po omacku; szczegóły wewnętrzne w treści błędu pomagają atakującemu.',
  },
  'transport.document-hash': {
    en: 'A document that was damaged on its way is archived as if it were the original.',
    pl: 'Dokument uszkodzony po drodze trafia do archiwum jako oryginał.',
  },
  auth: {
    en: 'No user can log in, or an unauthorized one can.',
    pl: 'Nikt nie może się zalogować albo loguje się ktoś nieuprawniony.',
  },
  'auth.challenge': {
    en: 'Logins fail at random, or a recorded login can be replayed.',
    pl: 'Logowanie zawodzi przypadkowo albo przechwycone logowanie można powtórzyć.',
  },
  'auth.signature': {
    en: 'Correct signatures of some libraries are refused, or a forged document logs in.',
    pl: 'Poprawne podpisy niektórych bibliotek są odrzucane albo sfałszowanym dokumentem można się zalogować.',
  },
  'auth.xades': {
    en: 'Correct signatures are refused, or a forged or expired one opens the context of a taxpayer.',
    pl: 'Poprawne podpisy są odrzucane albo podpis fałszywy lub nieważny otwiera kontekst podatnika.',
  },
  'auth.token': {
    en: 'Integrations that log in by service token stop, or a stolen or revoked token still works.',
    pl: 'Integracje korzystające z tokenów usługi przestają działać albo nadal działa token skradziony lub unieważniony.',
  },
  'auth.access-token': {
    en: 'A leaked or forged token reads and issues invoices in the name of a taxpayer.',
    pl: 'Tokenem, który wyciekł lub został sfałszowany, ktoś odczytuje i wystawia faktury w imieniu podatnika.',
  },
  'auth.refresh': {
    en: 'Long-running clients drop out in the middle of work, or access outlives its end.',
    pl: 'Klienci pracujący długo tracą dostęp w trakcie pracy albo dostęp nie wygasa wtedy, kiedy powinien.',
  },
  'auth.sessions': {
    en: 'A user cannot see or end a login that is not theirs to keep.',
    pl: 'Użytkownik nie widzi obcego logowania albo nie może go zakończyć.',
  },
  tokens: {
    en: 'Service tokens have permissions that were not granted, or keep working after their revocation.',
    pl: 'Tokeny usługi mają uprawnienia, których nikt nie nadał, albo działają po unieważnieniu.',
  },
  keys: {
    en: 'After a change of keys every client encrypts for the wrong certificate, and nothing can be sent.',
    pl: 'Po wymianie kluczy klienci szyfrują niewłaściwym certyfikatem i nie mogą niczego wysłać.',
  },
  sessions: {
    en: 'Invoices of a session get stuck, or their count does not tell what was issued.',
    pl: 'Faktury z sesji utykają albo ich liczba nie pozwala ustalić, co wystawiono.',
  },
  'sessions.batch': {
    en: 'A whole package fails for one mistake, or is taken although invoices are missing.',
    pl: 'Cała paczka przepada przez jeden błąd albo zostaje przyjęta, choć brakuje w niej faktur.',
  },
  'sessions.status': {
    en: 'Accounting cannot reconcile what was sent with what was issued.',
    pl: 'Księgowość nie uzgodni tego, co wysłano, z tym, co wystawiono.',
  },
  invoices: {
    en: 'A valid invoice is not issued in time, or an invalid one counts as issued.',
    pl: 'Poprawna faktura nie zostaje wystawiona na czas albo błędna uchodzi za wystawioną.',
  },
  'invoices.duplicate': {
    en: 'One sale is invoiced and taxed twice, or a client resends for ever.',
    pl: 'Ta sama sprzedaż zostaje zafakturowana i opodatkowana dwa razy albo klient ponawia wysyłkę bez końca.',
  },
  'invoices.get': {
    en: 'A stranger reads trade secrets, or a buyer never sees the invoice.',
    pl: 'Tajemnica handlowa trafia do kogoś, kto nie jest stroną, albo nabywca nie widzi faktury.',
  },
  'invoices.mode': {
    en: 'The date of issue is wrong in the eyes of the tax office.',
    pl: 'Data wystawienia jest błędna w oczach organu podatkowego.',
  },
  receipts: {
    en: 'The proof that an invoice was issued is missing, or proves something else.',
    pl: 'Brakuje dowodu wystawienia faktury albo dowodzi on czegoś innego.',
  },
  queries: {
    en: 'Purchases are booked twice or not at all, because a search leaves out or repeats invoices.',
    pl: 'Zakupy są księgowane dwa razy lub wcale, bo wyszukiwanie pomija albo powtarza faktury.',
  },
  exports: {
    en: 'The archive of a firm is incomplete, or a stranger downloads it.',
    pl: 'Archiwum firmy jest niepełne albo pobiera je ktoś inny.',
  },
  operations: {
    en: 'A client waits for ever, or takes work for done that failed.',
    pl: 'Klient czeka bez końca albo uznaje za wykonane to, co się nie udało.',
  },
  permissions: {
    en: 'Somebody reads or issues invoices without permission, or a bookkeeper is locked out on the last day of the month.',
    pl: 'Ktoś bez uprawnień czyta lub wystawia faktury albo księgowy traci dostęp w ostatnim dniu miesiąca.',
  },
  certificates: {
    en: 'A lost certificate cannot be blocked, or a firm runs out of valid ones.',
    pl: 'Utraconego certyfikatu nie można zablokować albo firma zostaje bez ważnego certyfikatu.',
  },
  testdata: {
    en: 'Integrators cannot test a case before it happens in production.',
    pl: 'Integratorzy nie mogą przećwiczyć przypadku, zanim wystąpi na produkcji.',
  },
  limits: {
    en: 'Clients that keep to the published limits are blocked, and invoices are late.',
    pl: 'Klienci, którzy mieszczą się w podanych limitach, są blokowani, a faktury trafiają do usługi z opóźnieniem.',
  },
  client: {
    en: 'The client loses, doubles or delays invoices once the service or the network is not at its best.',
    pl: 'Klient gubi, powiela lub opóźnia faktury, gdy usługa lub sieć działa gorzej.',
  },
  'client.duplicates': {
    en: 'The client sends the same invoice again and again, or forgets the number that it has.',
    pl: 'Klient w kółko wysyła tę samą fakturę albo gubi numer, który już otrzymał.',
  },
  'client.limits': {
    en: 'The client gets itself blocked, and all invoices of the firm wait.',
    pl: 'Klient doprowadza do blokady i wszystkie faktury firmy czekają.',
  },
  'client.tokens': {
    en: 'The client stops working some minutes after its login.',
    pl: 'Klient przestaje działać kilka minut po zalogowaniu.',
  },
  'client.receipt': {
    en: 'The firm has no proof that its invoices were issued.',
    pl: 'Firma nie ma dowodu, że jej faktury zostały wystawione.',
  },
}

/** What is at stake with a rule; every area has a row. */
export const stakeOf = (rule: string): Stake | undefined => {
  const words = rule.split('.')
  for (let length = words.length; length > 0; length -= 1) {
    const stake = stakes[words.slice(0, length).join('.')]
    if (stake !== undefined) return stake
  }
  return undefined
}
