import type { RuleId } from './rules.ts'

/** The sentence of each rule in Polish, for the report page. */
export const polishSentences: Readonly<Record<RuleId, string>> = {
  'transport.path-prefix':
    'Wszystkie operacje są dostępne pod prefiksem wersji, a oba zasoby z limitami także bezpośrednio pod adresem usługi.',
  'transport.media-type':
    'Każda treść ma nagłówek Content-Type, a żądanie z treścią innego typu usługa odrzuca statusem 4xx.',
  'transport.answers.schema': 'Treść udanej odpowiedzi jest zgodna ze schematem operacji.',
  'transport.answers.no-server-error':
    'Na żadne żądanie usługa nie odpowiada błędem serwera (5xx).',
  'transport.unknown-is-404':
    'Na nieznaną ścieżkę lub nieznany zasób usługa odpowiada statusem 404.',
  'transport.wrong-method':
    'Metodę, której ścieżka nie obsługuje, usługa odrzuca statusem 4xx, najlepiej 405 z nagłówkiem Allow.',
  'transport.health': 'Sprawdzenie stanu usługi działa bez uwierzytelnienia.',
  'transport.unknown-version':
    'Na nieistniejącą wersję główną usługa odpowiada statusem 404, a wersja v2 działa dalej.',
  'transport.malformed-body':
    'Treść nieczytelną albo z polami brakującymi, niewłaściwego typu lub zbyt długimi usługa odrzuca z kodem i opisem i niczego nie zapisuje.',
  'transport.malformed-parameter':
    'Błędny parametr ścieżki, zapytania lub nagłówka usługa odrzuca statusem 4xx i niczego nie wykonuje.',
  'transport.trailing-slash':
    'Fakturę można wysłać zarówno z ukośnikiem na końcu ścieżki, jak i bez niego.',
  'transport.export-alias':
    'Ścieżka eksportu w liczbie pojedynczej i mnogiej prowadzi do tego samego zasobu.',
  'transport.openapi-agrees':
    'Usługa publikuje opis OpenAPI w formacie JSON, zgodny z jej własnymi odpowiedziami.',
  'transport.error-shape':
    'Wszystkie błędy mają ten sam format i nie ujawniają szczegółów wewnętrznych, takich jak ślad stosu czy ścieżki plików.',
  'transport.document-hash':
    'Każdemu zwracanemu dokumentowi towarzyszy nagłówek z jego skrótem SHA-256.',
  'auth.challenge.public':
    'Każdy otrzymuje niepuste wyzwanie, bez uwierzytelnienia i bez treści żądania.',
  'auth.challenge.individual':
    'Usługa nigdy nie wydaje dwa razy tego samego wyzwania, także przy równoczesnych wywołaniach.',
  'auth.challenge.ten-minutes': 'Wyzwanie jest ważne dziesięć minut, potem wygasa.',
  'auth.challenge.unknown-refused': 'Wyzwanie, którego usługa nie wydała, jest odrzucane.',
  'auth.challenge.single-use': 'Jednym wyzwaniem można się uwierzytelnić tylko raz.',
  'auth.challenge.address-limit':
    'Na jeden adres usługa wydaje sześćdziesiąt wyzwań na sekundę; na kolejne żądanie odpowiada 429.',
  'auth.xades.accepted':
    'Na podpisane żądanie uwierzytelnienia usługa zwraca numer referencyjny i token uwierzytelnienia z terminem ważności.',
  'auth.xades.enveloped': 'Podpis otoczony (enveloped) jest przyjmowany.',
  'auth.xades.enveloping': 'Podpis otaczający (enveloping) jest przyjmowany.',
  'auth.xades.detached-refused': 'Podpis zewnętrzny (detached) jest odrzucany.',
  'auth.xades.tampered-refused': 'Dokument zmieniony po podpisaniu jest odrzucany.',
  'auth.xades.incomplete-signature-refused':
    'Podpis, który nie spełnia wymagań XAdES, jest odrzucany.',
  'auth.signature.transforms':
    'Usługa przyjmuje podpis, którego transformacje pomijają tylko sam podpis albo dekodują podpisane żądanie z Base64, przy każdej z dopuszczonych kanonikalizacji.',
  'auth.signature.transforms-refused':
    'Usługa odrzuca podpis, którego transformacje pomijają lub zmieniają część żądania, oraz sfałszowany dokument bez względu na transformacje.',
  'auth.signature.algorithms':
    'Usługa przyjmuje podpisy RSA (PKCS#1 v1.5 i PSS) oraz ECDSA z SHA-256, SHA-384 i SHA-512, a skróty liczone tymi samymi trzema algorytmami.',
  'auth.signature.profiles':
    'Usługa przyjmuje warianty profili XAdES: dowolną kolejność podpisanych właściwości, kilka certyfikatów, kilka odwołań do żądania i właściwości niepodpisane.',
  'auth.xades.weak-key-refused': 'Podpis złożony zbyt krótkim kluczem jest odrzucany.',
  'auth.xades.wrapping-refused':
    'Dokument z drugim żądaniem uwierzytelnienia poza podpisanym jest odrzucany.',
  'auth.xades.context-kinds': 'Dozwolone są wyłącznie konteksty typu Nip, InternalId i NipVatUe.',
  'auth.xades.subject-type':
    'Żądanie bez typu identyfikatora podmiotu lub z nieznanym typem jest odrzucane.',
  'auth.xades.self-signed-by-environment':
    'Certyfikaty samopodpisane są przyjmowane tylko w środowisku testowym.',
  'auth.xades.fingerprint':
    'Certyfikatem bez identyfikatorów można się uwierzytelnić na podstawie jego odcisku SHA-256, ale dopiero po nadaniu temu odciskowi uprawnienia.',
  'auth.xades.certificate-dates': 'Certyfikat jest przyjmowany tylko w okresie swojej ważności.',
  'auth.xades.service-certificate': 'Usługa uwierzytelnia certyfikaty, które sama wydała.',
  'auth.xades.certificate-check-delay':
    'Weryfikacja certyfikatu u wystawcy może opóźnić uwierzytelnienie; nie dotyczy to certyfikatów wydanych przez usługę.',
  'auth.xades.hostile-xml':
    'Deklaracje DOCTYPE i encje są odrzucane od razu i nigdy nie są rozwijane, a złośliwy XML nie zakłóca pracy usługi.',
  'auth.token.accepted':
    'Można się zalogować zaszyfrowanym tokenem usługi, wysłanym razem z wyzwaniem i kontekstem.',
  'auth.token.plaintext-form':
    'Po odszyfrowaniu RSA-OAEP usługa odczytuje token i znacznik czasu w milisekundach, rozdzielone pionową kreską.',
  'auth.token.wrong-encryption-refused':
    'Token usługi zaszyfrowany w jakikolwiek inny sposób jest odrzucany.',
  'auth.token.wrong-timestamp-refused':
    'Token usługi bez znacznika czasu, ze znacznikiem w innej jednostce albo odległym od bieżącego czasu jest odrzucany.',
  'auth.token.other-context-refused': 'Token usługi działa tylko we własnym kontekście.',
  'auth.token.expired-refused': 'Wygasły token usługi jest odrzucany.',
  'auth.token.unusable-refused':
    'Token usługi unieważniony, nieznany lub wydany przez poprzednią wersję główną jest odrzucany.',
  'auth.token.sunset':
    'Tokeny usługi przestają działać z końcem 2026 roku; certyfikaty działają nadal.',
  'auth.status.moves-forward':
    'Uwierzytelnienie przechodzi ze stanu „w toku” do stanu końcowego i w nim pozostaje.',
  'auth.status.wrong-bearer-refused':
    'Status uwierzytelnienia można odczytać tylko jego własnym tokenem; na każdy inny usługa odpowiada 401.',
  'auth.redeem.not-before-success':
    'Dopóki uwierzytelnienie się nie powiedzie, usługa nie wydaje tokenów.',
  'auth.redeem.issues-pair':
    'Udane uwierzytelnienie można wymienić na token dostępowy i token odświeżania.',
  'auth.redeem.not-after-expiry': 'Wymiana po wygaśnięciu tokenu uwierzytelnienia jest odrzucana.',
  'auth.redeem.once': 'Uwierzytelnienie można wymienić na tokeny tylko raz.',
  'auth.redeem.wrong-bearer-refused': 'Na tokeny można wymienić wyłącznie token uwierzytelnienia.',
  'auth.access-token.jwt-lifetime':
    'Token dostępowy jest tokenem JWT i wygasa po kilkunastu minutach.',
  'auth.access-token.expires':
    'Token dostępowy działa do chwili wygaśnięcia, potem jest odrzucany.',
  'auth.refresh.repeatable':
    'Tokenem odświeżania można dowolną liczbę razy uzyskać nowy, działający token dostępowy.',
  'auth.refresh.seven-days':
    'Token odświeżania wygasa najpóźniej po siedmiu dniach, potem jest odrzucany.',
  'auth.refresh.wrong-bearer-refused': 'Odświeżenie działa wyłącznie z tokenem odświeżania.',
  'auth.status.failure-is-final':
    'Nieudane uwierzytelnienie podaje przyczynę, pozostaje nieudane i nie można go wymienić na tokeny.',
  'auth.access-token.forged-refused':
    'Usługa odrzuca JWT, którego sama nie podpisała dokładnie w tej postaci.',
  'auth.access-token.required': 'Operacje chronione wymagają ważnego tokenu dostępowego.',
  'auth.challenge.client-address': 'Wyzwanie podaje adres źródłowy widziany przez usługę.',
  'auth.address-policy': 'Tokeny logowania ograniczonego do adresów działają tylko z tych adresów.',
  'auth.sessions.listed':
    'Usługa podaje stronami listę aktywnych logowań podmiotu wywołującego w bieżącym kontekście, od najnowszego, i żadnych innych.',
  'auth.sessions.described':
    'Status logowania i jego pozycja na liście podają początek, metodę, stan, termin ważności i ostatnie odświeżenie logowania; pozycja podaje też, czy jest ono bieżące.',
  'auth.sessions.ended':
    'Zakończonego logowania nie można odświeżyć i nie ma go na liście; jego tokeny dostępowe i pozostałe logowania działają nadal.',
  'tokens.list.scope':
    'Kto może przeglądać poświadczenia lub nimi zarządzać, widzi wszystkie tokeny usługi w kontekście; pozostali widzą tylko własne.',
  'tokens.list.narrowed':
    'Listę tokenów usługi można zawęzić według stanu, opisu i autora; jest podzielona na strony, od najnowszych.',
  'tokens.status.described':
    'Status tokenu usługi podaje autora, kontekst, uprawnienia, stan, datę utworzenia i ostatniego użycia, nigdy sam token.',
  'tokens.status.moves-forward':
    'Token usługi staje się aktywny, po unieważnieniu jest unieważniony i nie wraca do wcześniejszego stanu.',
  'tokens.create.within-rights':
    'Token usługi z uprawnieniami, których autor nie ma, jest odrzucany.',
  'tokens.revoke.rights':
    'Token usługi może unieważnić jego autor lub wywołujący z CredentialsManage, nikt inny.',
  'tokens.revoke.logins':
    'Po unieważnieniu tokenu usługi logowania, które go użyły, nie dają dalszych tokenów.',
  'keys.list.public':
    'Każdy może pobrać certyfikaty klucza publicznego usługi wraz z przeznaczeniem i okresem ważności.',
  'keys.list.usages':
    'Każdy certyfikat podaje przeznaczenie, a dla każdego przeznaczenia jest certyfikat ważny w tej chwili.',
  'keys.list.certificates-parse':
    'Każdy certyfikat z listy daje się odczytać, jest zgodny z podanymi datami i zawiera silny klucz RSA.',
  'keys.rotation.served':
    'Po wymianie kluczy usługa udostępnia i przyjmuje nowy certyfikat, a dane zaszyfrowane wycofanym odrzuca.',
  'keys.list.previous-version-absent': 'Zasoby kluczy poprzedniej wersji nie są już dostępne.',
  'keys.list.production-calendar':
    'Środowisko produkcyjne udostępnia swoje certyfikaty od 1 lutego 2026 r.',
  'sessions.online.opens':
    'Na podstawie zaszyfrowanego klucza, wektora inicjującego i kodu formularza usługa otwiera sesję interaktywną i zwraca jej numer referencyjny.',
  'sessions.online.bad-key-refused':
    'Klucz sesji lub wektor inicjujący o niewłaściwej długości, kodowaniu lub szyfrowaniu jest odrzucany.',
  'sessions.online.bad-form-code-refused':
    'Kod formularza, który nie obowiązuje w dniu otwarcia sesji, jest odrzucany.',
  'sessions.online.form-code-forms':
    'Kod formularza można podać jako obiekt z trzema polami albo jako jedną etykietę.',
  'sessions.online.schema-calendar':
    'FA(2) jest przyjmowana do 31 stycznia 2026 r., a FA(3) od 1 lutego 2026 r., każda tylko w swoim okresie.',
  'sessions.online.further-forms':
    'Można otworzyć sesję dla formularzy PEF, PEF_KOR i FA_RR, przy czym dla PEF i PEF_KOR tylko interaktywną.',
  'sessions.online.needs-permission':
    'Bez uprawnienia InvoiceWrite nie można otworzyć sesji ani wysłać faktury.',
  'sessions.online.close':
    'Zamknięcie sesji jest ostateczne: kolejna faktura i ponowne zamknięcie są odrzucane.',
  'sessions.online.receipt-after-close': 'Zamknięta sesja ma zbiorcze UPO, otwarta go nie ma.',
  'sessions.online.isolated': 'Sesji innego kontekstu nie widać i nie można jej użyć.',
  'sessions.online.of-subject':
    'W kontekście sesję widzi podmiot, który ją otworzył, oraz wywołujący z Introspection lub EnforcementOperations, ale nie ten, kto ma tylko InvoiceWrite.',
  'sessions.online.ten-thousand': 'Sesja przyjmuje 10 000 faktur i odrzuca następną.',
  'sessions.online.side-by-side': 'Kontekst może równocześnie korzystać z kilku sesji.',
  'sessions.batch.opens':
    'Na podstawie kodu formularza, zaszyfrowanego klucza i opisu paczki usługa otwiera sesję wsadową i zwraca dla każdej części żądanie jej wysłania.',
  'sessions.batch.bad-key-refused':
    'Klucz sesji wsadowej lub wektor inicjujący o niewłaściwej długości, kodowaniu lub szyfrowaniu jest odrzucany.',
  'sessions.batch.bad-form-code-refused':
    'Kod formularza, który nie obowiązuje w dniu otwarcia sesji wsadowej, jest odrzucany.',
  'sessions.batch.part-checked':
    'Część paczki jest przyjmowana tylko pod swoim adresem, z podaną metodą i nagłówkami oraz z zadeklarowanym rozmiarem i skrótem.',
  'sessions.batch.upload-unchecked':
    'Przy wysyłaniu części usługa przyjmuje dowolne bajty; błąd w nich lub w kluczu powoduje niepowodzenie zamknięcia albo całej sesji, każdy z własnym kodem.',
  'sessions.batch.close':
    'Zamknięcie sesji wsadowej uruchamia jej przetwarzanie, i to tylko raz; sesja bez wszystkich części kończy się niepowodzeniem z podaną przyczyną.',
  'sessions.batch.errors-isolated': 'Błędna faktura w paczce nie wpływa na pozostałe faktury.',
  'sessions.batch.failed-list':
    'Usługa podaje listę odrzuconych faktur sesji, każdą z kodem i opisem.',
  'sessions.batch.ten-thousand': 'Paczka może zawierać najwyżej 10 000 faktur.',
  'sessions.batch.parts-unlimited': 'Wysyłanie części paczki nie podlega limitom żądań.',
  'sessions.batch.hostile-archive':
    'Uszkodzone lub złośliwe archiwum powoduje niepowodzenie tylko własnej sesji.',
  'sessions.batch.too-large-refused':
    'Paczka, która przekracza limit liczby części lub rozmiaru, jest odrzucana przy otwarciu sesji.',
  'sessions.batch.duplicates':
    'Usługa wykrywa duplikaty w paczce oraz wśród faktur przyjętych wcześniej.',
  'sessions.list.complete':
    'Lista sesji, po wszystkich stronach, zawiera każdą sesję kontekstu dokładnie raz i żadnej innej.',
  'sessions.invoices.complete':
    'Lista faktur sesji, po wszystkich stronach, zawiera każdą fakturę dokładnie raz wraz z jej statusem.',
  'sessions.status.counts':
    'Suma faktur przyjętych i odrzuconych nigdy nie przekracza łącznej liczby, a na końcu jest jej równa.',
  'sessions.status.counts-absent':
    'Jeżeli niczego nie policzono, status sesji nie podaje liczby: sesja interaktywna pomija licznik równy zero, a sesja wsadowa przerwana przed policzeniem faktur podaje null.',
  'sessions.status.moves-forward':
    'Sesja i faktura zmieniają stan tylko zgodnie z opisanymi przejściami, nigdy wstecz.',
  'sessions.status.dates':
    'Status sesji i lista sesji podają zgodnie, kiedy sesję otwarto, kiedy ostatnio ją zmieniono i do kiedy jest ważna.',
  'invoices.collective.created':
    'Identyfikator zbiorczy wskazuje sprzedawcę i miesiąc, ma poprawną sumę kontrolną i obejmuje tylko faktury jednego sprzedawcy, które wywołujący widzi.',
  'invoices.collective.listed':
    'Identyfikator zbiorczy można wyszukać filtrami i po jego fakturach, a odczytać razem z nimi, w kontekście, który go utworzył, oraz u sprzedawcy.',
  'invoices.content.further-forms':
    'Faktura według formularza swojej sesji jest przyjmowana i otrzymuje numer, a faktura według innego formularza jest odrzucana.',
  'invoices.submit.accepted':
    'Poprawnie wysłana faktura jest przyjmowana do przetwarzania i otrzymuje własny numer referencyjny.',
  'invoices.submit.hash-mismatch':
    'Faktura, której jawna treść nie odpowiada zadeklarowanemu skrótowi, jest odrzucana.',
  'invoices.submit.size-mismatch':
    'Faktura, której jawna treść nie ma zadeklarowanego rozmiaru, jest odrzucana.',
  'invoices.submit.encrypted-metadata-mismatch':
    'Faktura, której zaszyfrowana treść nie odpowiada zadeklarowanemu skrótowi i rozmiarowi, jest odrzucana.',
  'invoices.submit.wrong-encryption':
    'Przyjmowana jest tylko kompletna treść zaszyfrowana kluczem i wektorem inicjującym swojej sesji, z dopełnieniem PKCS#7.',
  'invoices.submit.bad-base64': 'Treść jest przyjmowana tylko jako Base64 bez podziału na wiersze.',
  'invoices.size.without-attachments': 'Faktura bez załączników może mieć do 1 000 000 bajtów.',
  'invoices.size.with-attachments':
    'Faktura z załącznikami może mieć do 3 000 000 bajtów, o ile sprzedawca zgłosił zamiar ich wysyłania.',
  'invoices.content.invalid-rejected':
    'Faktura niezgodna ze schematem jest odrzucana z kodem i opisem i nie jest uznawana za wystawioną.',
  'invoices.content.check-digits':
    'Środowisko produkcyjne odrzuca fakturę z błędną cyfrą kontrolną NIP, pozostałe środowiska ją przyjmują.',
  'invoices.content.utf8-without-bom':
    'Faktura w kodowaniu innym niż UTF-8 bez BOM jest odrzucana.',
  'invoices.content.unsigned': 'Faktura nie musi być podpisana.',
  'invoices.number.unique': 'Każda przyjęta faktura otrzymuje numer, którego nie ma żadna inna.',
  'invoices.duplicate.rejected':
    'Duplikat jest odrzucany z kodem 440; numer oryginału w odpowiedzi jest poprawny.',
  'invoices.duplicate.triple':
    'Faktura jest duplikatem tylko wtedy, gdy sprzedawca, rodzaj faktury i numer są takie same.',
  'invoices.duplicate.everywhere':
    'Usługa wykrywa duplikaty niezależnie od sesji, kontekstu i sposobu wysłania.',
  'invoices.duplicate.ten-years':
    'Numeru faktury nie można użyć ponownie przez pełne dziesięć lat.',
  'invoices.rejected.may-be-resent':
    'Odrzuconą fakturę można po poprawieniu wysłać ponownie z tym samym numerem.',
  'invoices.duplicate.race':
    'Z dwóch identycznych faktur wysłanych równocześnie usługa przyjmuje dokładnie jedną.',
  'invoices.rejected.isolated': 'Odrzucona faktura nie wpływa na pozostałe faktury sesji.',
  'invoices.send.alternative':
    'Z uprawnieniem InvoiceWrite fakturę FA(3) można wysłać bez sesji; bez niego nie można.',
  'invoices.duplicate.points-to-original':
    'Odrzucenie duplikatu wskazuje sesję i numer pierwotnej faktury.',
  'invoices.content.issue-date': 'Data wystawienia to data podana na fakturze, nie data wysłania.',
  'invoices.get.by-service-number':
    'Fakturę można pobrać po numerze nadanym przez usługę, bajt w bajt w postaci sprzed zaszyfrowania.',
  'invoices.get.by-invoice-number': 'Fakturę można pobrać po numerze nadanym przez sprzedawcę.',
  'invoices.status.outcome':
    'Status po identyfikatorze i po numerze podaje wynik weryfikacji i nadany numer.',
  'invoices.status.session-reference': 'Status faktury wskazuje sesję, w której ją wysłano.',
  'invoices.mode':
    'Fakturę zgłoszoną jako offline lub wystawioną przed dniem wysłania usługa wszędzie oznacza jako offline, a żadnej innej tak nie oznacza.',
  'invoices.correction':
    'Odrzuconą fakturę offline można raz zastąpić korektą techniczną; przyjętej faktury zastąpić nie można.',
  'invoices.get.parties-only':
    'Fakturę mogą pobrać tylko jej strony z uprawnieniem InvoiceRead; innym usługa niczego nie ujawnia.',
  'invoices.get.rejected-absent': 'Odrzuconej faktury nie można pobrać.',
  'receipts.invoice.carries-number':
    'Każda przyjęta faktura ma UPO z numerem nadanym przez usługę.',
  'receipts.session.verifies':
    'UPO sesji jest zgodne ze schematem, ma ważny podpis i wymienia wszystkie przyjęte faktury i żadnych innych.',
  'receipts.link.in-status': 'Gdy tylko powstanie UPO, status faktury podaje odnośnik do niego.',
  'receipts.ways':
    'UPO można uzyskać przez status, przez odrzucenie duplikatu i przez odpowiedź na wysyłkę, jeśli zawiera odnośnik.',
  'receipts.independent': 'UPO pozostaje dostępne, nawet gdy faktury nie można już odczytać.',
  'receipts.link.expires': 'Odnośnik do UPO wygasa; ponowne zapytanie o status zwraca nowy.',
  'receipts.link.parties-only': 'Z odnośnika do UPO mogą skorzystać tylko sprzedawca i nabywca.',
  'receipts.not-by-number-alone': 'Sam numer nadany przez usługę nie wystarcza do pobrania UPO.',
  'queries.providers.listed':
    'Dostawca Peppol loguje się do własnego kontekstu certyfikatem, który go wskazuje, i od tej chwili jest na publicznej liście.',
  'queries.metadata.filters':
    'Z uprawnieniem InvoiceRead można wyszukiwać metadane faktur według roli i zakresu dat.',
  'queries.metadata.described': 'Metadane są zgodne z treścią faktury.',
  'queries.metadata.subject-type':
    'Zapytanie zwraca dokładnie te faktury, w których wywołujący ma wskazaną rolę.',
  'queries.metadata.date-type': 'Zakres dat dotyczy wskazanego rodzaju daty.',
  'queries.metadata.date-bounds':
    'Granice dat mają format ISO 8601 z dowolnym przesunięciem strefy; zakresy błędne, odwrócone i zbyt szerokie są odrzucane.',
  'queries.metadata.paging':
    'Stronicowanie zwraca każdą pasującą fakturę dokładnie raz, nawet gdy napływają nowe.',
  'queries.general.date-range': 'Zapytanie ogólne zwraca faktury z podanego zakresu dat.',
  'exports.create.accepted': 'Zlecenie eksportu jest przyjmowane i otrzymuje numer referencyjny.',
  'exports.status.moves-forward':
    'Eksport przechodzi z „w toku” do „gotowy”, potem „wygasły”, albo do „nieudany”, nigdy wstecz.',
  'exports.package.content':
    'Odszyfrowana paczka jest archiwum z wszystkimi fakturami spełniającymi warunki i żadnymi innymi, bajt w bajt.',
  'exports.running-limit':
    'Na zlecenie eksportu ponad dozwoloną liczbę równoczesnych usługa odpowiada kodem 21182.',
  'exports.expiry': 'Wygasły eksport ma kod 210 i nie można go pobrać.',
  'exports.isolated': 'Eksportu innego kontekstu nie widać i nie można go pobrać.',
  'exports.hourly-limit':
    'Jeżeli usługa ma godzinny limit eksportów poza tabelą limitów, przestrzega go.',
  'operations.status.reports':
    'Pod numerem referencyjnym usługa podaje postęp i wynik operacji asynchronicznej.',
  'operations.status.kept':
    'Status jest dostępny przez okres przechowywania, potem znika; status sesji pozostaje dostępny na stałe.',
  'operations.status.isolated': 'Operacji asynchronicznej innego kontekstu nie widać.',
  'permissions.grant.listed': 'Nadane uprawnienie ma identyfikator i jest na liście uprawnień.',
  'permissions.grant.effective':
    'Uprawnienie działa od zakończenia operacji nadania, nie wcześniej.',
  'permissions.grant.refusals':
    'Usługa odrzuca dalsze przekazanie uprawnień bez zgody klienta oraz wyznaczenie administratora jednostki, która nie należy do wywołującego.',
  'permissions.revoke.effective':
    'Uprawnienie jest odbierane asynchronicznie; po zakończeniu tej operacji nie działa także dla wydanych już tokenów.',
  'permissions.revoke.refusals':
    'Usługa odrzuca odebranie uprawnienia przez nieuprawnionego, a także odebranie uprawnienia nieznanego, już odebranego lub niedostępnego dla wywołującego.',
  'permissions.matrix':
    'Każda operacja przyjmuje dokładnie te uprawnienia, które są dla niej opisane.',
  'permissions.query.scope':
    'Lista uprawnień zawiera to, co dotyczy wywołującego, i nic, co dotyczy innych podmiotów lub kontekstów.',
  'permissions.query.narrowed':
    'Każdy filtr listy uprawnień pozostawia dokładnie pasujące pozycje.',
  'permissions.query.described':
    'Pozycja listy podaje rodzaj uprawnienia, komu i przez kogo je nadano, od kiedy obowiązuje, oraz opis.',
  'permissions.query.paged': 'Strony listy uprawnień zawierają każdą pozycję raz, od najnowszej.',
  'certificates.enrol':
    'Na podstawie przyjętego wniosku usługa wydaje certyfikat, którym jego podmiot może się uwierzytelnić.',
  'certificates.two-years': 'Certyfikaty są wydawane najwyżej na dwa lata.',
  'certificates.revoke':
    'Unieważniony certyfikat jest wykazywany jako unieważniony i nie można się nim uwierzytelnić.',
  'certificates.limits':
    'Usługa ogranicza liczbę wniosków i certyfikatów zgodnie z limitami, które podaje dla podmiotu.',
  'certificates.listed':
    'Lista certyfikatów zawiera certyfikaty wywołującego w postaci, w jakiej je wydano, i obsługuje każdy filtr.',
  'testdata.entities':
    'Można utworzyć i usunąć jednostki samorządu terytorialnego, komorników i grupy VAT wraz z wynikającymi z nich uprawnieniami.',
  'testdata.blocks':
    'Zablokowany kontekst nie przyjmuje logowań do czasu odblokowania; inne konteksty działają.',
  'testdata.permissions': 'Uprawnienia można nadawać i odbierać jako dane testowe.',
  'testdata.attachments':
    'Zgodę na załączniki można zgłosić i wycofać; zależy od niej przyjmowanie faktur z załącznikami.',
  'testdata.only-in-test': 'Operacje na danych testowych są dostępne tylko w środowisku testowym.',
  'testdata.limit-simulation':
    'Limity kontekstu można ustawić jak w środowisku produkcyjnym lub dowolnie, a potem przywrócić.',
  'limits.context': 'Usługa egzekwuje limity sesji, które podaje.',
  'limits.subject': 'Usługa podaje limity certyfikatów i wniosków.',
  'limits.rate.each-rule':
    'Każdy wiersz tabeli limitów dopuszcza dokładnie podaną liczbę żądań na sekundę, minutę i godzinę.',
  'limits.rate.default-rule':
    'Operacja bez własnego wiersza ma limity domyślne, liczone osobno dla każdej operacji.',
  'limits.rate.windows-slide':
    'Okna limitów są przesuwne: żądanie liczy się, dopóki nie opuści okna, a żadne okno nie zeruje się z pełną sekundą, minutą ani godziną.',
  'limits.rate.parallel-thresholds':
    'Trzy progi są liczone równolegle, a blokadę powoduje pierwszy przekroczony.',
  'limits.rate.retry-after':
    'Odpowiedź 429 podaje w pełnych sekundach, ile czekać; żądanie wysłane po tym czasie jest przyjmowane, a wcześniejsze odrzucane.',
  'limits.rate.escalation': 'Kto wielokrotnie przekracza limity, jest blokowany na dłużej.',
  'limits.rate.protective-block':
    'Usługa może zablokować kontekst, którego żądania przychodzą z wielu adresów.',
  'limits.rate.keyed-by-context-and-address':
    'Żądania są liczone osobno dla każdego kontekstu i adresu źródłowego połączenia; innych kontekstów i adresów limit nie dotyczy.',
  'limits.rate.rules-apart': 'Operacje z różnych wierszy tabeli są liczone osobno.',
  'limits.rate.public-outside': 'Operacje publiczne nie podlegają tym limitom.',
  'limits.rate.by-environment':
    'Środowisko testowe dopuszcza około dziesięć razy więcej żądań niż produkcyjne, a demo tyle samo co produkcyjne.',
  'limits.rate.real-hour': 'Próg godzinny obowiązuje przez pełną godzinę czasu rzeczywistego.',
  'limits.rate.exact-under-concurrency':
    'Przy równoczesnych żądaniach usługa przyjmuje dokładnie dozwoloną ich liczbę.',
  'client.keys.rotation':
    'Klient szyfruje certyfikatem właściwym dla celu i daty, a zmianę kluczy uwzględnia w trakcie pracy.',
  'client.duplicates.never-resent':
    'Klient nigdy nie wysyła ponownie faktury odrzuconej jako duplikat (440).',
  'client.sync.interval':
    'W środowisku produkcyjnym klient synchronizuje każdy podmiot nie częściej niż co kwadrans.',
  'client.limits.respected':
    'Po 429 klient czeka co najmniej Retry-After; wcześniej sam utrzymuje tempo w granicach limitów.',
  'client.tokens.by-stage': 'Klient wysyła każdy token tylko do tych operacji, które go przyjmują.',
  'client.tokens.refreshed':
    'Klient odnawia token dostępowy przed wygaśnięciem lub po nim i nie gubi żadnej faktury.',
  'client.tokens.reauthenticated':
    'Po wygaśnięciu tokenu uwierzytelnienia klient loguje się od nowa.',
  'client.keys.chosen': 'Klient najpierw pobiera certyfikaty i używa właściwego dla celu i daty.',
  'client.encryption.right':
    'Klient szyfruje sam klucz, stosuje dopełnienie PKCS#7, zapisuje Base64 w jednym wierszu i podaje poprawne skróty i rozmiary.',
  'client.polling.bounded':
    'Klient robi przerwy między kolejnymi zapytaniami o status, kończy je w stanie końcowym i uznaje niepowodzenie za niepowodzenie.',
  'client.duplicates.kept':
    'Po kodzie 440 klient zachowuje numer nadany za pierwszym razem i niczego więcej nie wysyła.',
  'client.outcome.unknown-resolved':
    'Klient, który nie otrzymał odpowiedzi na wysłaną fakturę, ustala jej wynik, zanim cokolwiek wyśle ponownie.',
  'client.outcome.exactly-once':
    'Klient wystawia każdy dokument dokładnie raz i zapisuje wynik oraz numer, które podaje dla niego usługa.',
  'client.receipt.fetched':
    'Klient zamyka otwarte przez siebie sesje, pobiera ich UPO, a gdy odnośnik wygaśnie, prosi o nowy.',
  'client.faults.survived':
    'Przy 429, 5xx, zerwanych połączeniach i opóźnieniach klient nie gubi żadnej faktury i mieści się w limitach.',
  'client.fields.unknown-ignored': 'Klient pomija pola, których nie zna.',
  'client.sync.complete':
    'Klient synchronizujący przyrostowo otrzymuje każdą fakturę dokładnie raz.',
  'client.requests.well-formed':
    'Klient wysyła żądania zgodne z opisem interfejsu: ścieżki, metody, nagłówki, typy treści i schematy.',
}
