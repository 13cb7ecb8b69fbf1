import { STATUS_IS } from '../../status-words/is.ts';
import { PAYMENT_REASONS_IS } from '../payment-reasons/is.ts';
import { translateRefusals } from '../refusal-file.ts';
import type { MONEY_EN } from './money-en.ts';

const { 'not-found': _visit, ...PAYMENT_REASONS } = PAYMENT_REASONS_IS;

export const MONEY_IS = translateRefusals<typeof MONEY_EN>()({
  ...PAYMENT_REASONS,
  'see-invoice': 'Reikningur: {id}.',
  'ask-status': 'Stöðuna má sækja á {path}.',
  'provider-away': 'Ekki næst samband við greiðslumiðlunina. Ekkert var gjaldfært. Reyndu aftur síðar.',
  'provider-not-answered': 'Greiðslumiðlunin hefur ekki svarað enn.',
  'card-not-authenticated': 'Fyrst þarf að auðkenna kortið.',
  'challenge-not-answered': 'Bankinn hefur ekki svarað auðkenningunni enn.',
  'challenge-token-needed': 'Lykil auðkenningarinnar vantar.',
  'step-taken': 'Þetta skref var þegar tekið.',
  'reversal-not-connected': 'Bakfærslan hófst ekki: staðurinn er ekki tengdur.',
  'reversal-unknown':
    'Staðurinn svaraði ekki innan sekúndu: féð gæti hafa farið til baka. Greiðslan er opin þar til staðurinn svarar.',
  'reversal-not-begun': ({ reason }) =>
    `Bakfærslan hófst ekki: ${REVERSAL_FAULTS[reason] ?? 'staðurinn hafnaði henni'}.`,
  'refund-not-possible': 'Greiðslumiðlunin getur ekki endurgreitt þetta. Endurgreiddu á annan hátt.',
  'refund-unclear':
    'Endurgreiðsla af þessari greiðslu kann að hafa farið fram. Flettu henni upp hjá greiðslumiðluninni og skráðu niðurstöðuna áður en önnur er gerð.',
  'billing-changed': 'Það sem yrði rukkað hefur breyst síðan þú skoðaðir það. Farðu yfir það aftur.',
  'invoice-refunded': 'Reikningurinn hefur verið endurgreiddur.',
  'no-cards-online': 'Ekki er tekið við kortum á greiðslusíðu þessa staðar.',
  'product-taken': 'Vara af þessari gerð er þegar til fyrir þennan ökutækjaflokk.',
  'units-used': 'Þegar hafa {used} einingar verið notaðar.',
  'quota-in-use': 'Einingar hafa þegar verið notaðar.',
  'quota-taken': 'Viðskiptavinurinn á þegar kvótann „{name}“ fyrir þessa vöru. Breyttu fjöldanum í honum.',
  'valid-from-not-ahead': 'Útgáfa þarf að gilda frá degi sem er hvergi byrjaður þar sem varan er seld.',
  'valid-from-too-far': 'Útgáfu er hægt að ákveða allt að fimm ár fram í tímann.',
  'vat-rate-missing': 'almennt þrep er hærra en 0: veldu annan flokk ef enginn VSK er',
  'vat-rate-zero': 'aðeins almennt þrep er með hærri prósentu en 0',
  'vat-reason-missing': 'segðu hvers vegna enginn VSK er: parking-rental, not-registered eða eigin texti',
  'vat-reason-none': 'aðeins það sem er undanþegið eða utan gildissviðs VSK er með ástæðu',
  'not-in-version':
    'Tegund, gjaldmiðill, ökutækjaflokkur og staður gilda fyrir allar útgáfur. Þeim er ekki hægt að breyta frá öðrum degi.',
  'too-many-planned': 'Í mesta lagi {max} útgáfur vöru geta beðið.',
  'version-not-planned': 'Aðeins er hægt að afturkalla útgáfu sem hefur ekki tekið gildi.',
  'run-under-way': 'Þú ert með keyrslu sem er ekki lokið. Bíddu eftir henni eða hættu við hana.',
  'run-ended': 'Keyrslunni er lokið.',
  'day-without-other': 'Tímabil þarf bæði fyrsta og síðasta dag.',
  'period-reversed': 'Síðasti dagurinn er á undan þeim fyrsta.',
  'period-too-long': 'Tímabil er í mesta lagi {days} dagar.',
  'product-elsewhere': 'Varan er ekki seld á þessum stað.',
  'quotas-of-product': 'Kvótar eru til fyrir þessa vöru.',
  'not-a-quota': 'Varan er ekki kvóti.',
  'invoice-issued': 'Reikningurinn hefur þegar verið gefinn út.',
  'not-to-publish': 'Greiðandinn vill ekki fá reikninginn rafrænt.',
  'e-invoice-lacks': 'Rafrænn reikningur þarf þetta. Það var hvergi skráð þegar reikningurinn var gefinn út.',
  'e-invoice-account': 'Ekki íslenskur bankareikningur, til dæmis 0133-26-001234.',
  'e-invoice-vat-open': 'Virðisaukaskattur reikningsins var óákveðinn þegar hann var gefinn út.',
  'e-invoice-vat-mixed':
    'Rafrænn reikningur getur ekki haft fjárhæðir utan virðisaukaskatts með öðrum. Sendu PDF-skjalið, eða kreditfærðu annan hlutann og gefðu út sérstakan reikning fyrir hann.',
  'e-invoice-under-way':
    'Skeytamiðlari er með reikninginn eða gæti verið með hann. Hann er ekki sendur tvisvar.',
  'e-invoice-no-customer': 'Reikningurinn er ekki á viðskiptavin. Rafrænn reikningur þarf hann.',
  'card-receipts-off': 'Þetta bílastæði sendir ekki kvittanir rafrænt til fyrirtækja.',
  'no-access-points': 'Skýið hefur enga skeytamiðlun fyrir rafræna reikninga.',
  'claim-paid': 'Krafan er greidd.',
  'claim-ended': 'Bankinn er ekki lengur með kröfuna.',
  'claim-order-under-way': 'Bankinn á enn eftir að afgreiða fyrri aðgerð á kröfunni.',
  'claim-nothing-open': 'Ekkert er ógreitt af reikningnum, eða greiðsla hans stendur yfir.',
  'claim-there': 'Krafa er þegar til fyrir reikninginn.',
  'claim-currency': 'Kröfur eru aðeins í krónum.',
  'claim-disputed': 'Reikningi eða heimsókn á honum hefur verið mótmælt. Svaraðu því fyrst.',
  'claim-no-payer': 'Kennitala greiðanda er ekki þekkt.',
  'claim-no-seller': 'Reikningurinn nefnir engan seljanda með kennitölu. Seljandi á kröfuna.',
  'no-banks':
    'Enginn samningur við banka er skráður. Rekstraraðili allra bílastæða skráir hann á síðunni Stillingar.',
  'claim-for-another':
    'Samningurinn við bankann er annars fyrirtækis. Innheimta fyrir annan lögaðila krefst leyfis, sem er skráð með samningnum.',
  'claim-final-due': 'Eindagi er {dueOn} eða innan árs frá þeim degi.',
  'claim-amount': 'Í mesta lagi {open} eru ógreiddar af reikningnum.',
  'claim-discount': 'Afslátturinn er lægri en fjárhæðin.',
  'claim-frozen': 'Greitt hefur verið inn á kröfuna: fjárhæð og afsláttur breytast ekki.',
  'reminder-delivered': 'Bréfið hefur þegar verið afhent.',
  'reminder-mailed': 'Bréfið fer með tölvupósti og telst afhent þegar hann er sendur.',
  'reminder-delivered-when':
    'Tíminn þarf að vera á milli þess að bréfið var skrifað ({writtenOn}) og þessarar stundar.',
  'closed-csv-only': 'lokaðir dagar fást aðeins sem CSV',
  'not-collectable': 'Reikning nr. {number} má ekki senda í innheimtu núna. Sæktu listann aftur.',
  'collection-one-site':
    'Veldu reikninga eins staðar. Skrá með reikningum margra staða er fyrir þá sem sjá alla staði.',
  'claim-collected': 'Reikningurinn er farinn til innheimtufyrirtækis.',
  'no-such-invoice': 'Enginn slíkur reikningur er til.',
  'invoice-not-issued': 'Hann hefur ekki verið gefinn út enn.',
  'invoice-paid': 'Reikningurinn er greiddur.',
  'invoice-not-payable':
    'Ekki er hægt að greiða reikninginn með korti: hann hefur ekki verið gefinn út, ekkert er eftir af honum eða kort eru ekki tekin á netinu á stæðinu.',
  'invoice-or-vehicle': 'Veldu annaðhvort reikning eða ökutæki.',
  'way-of-paid-only':
    'Hvernig var greitt er aðeins skráð á reikning sem var gefinn út ógreiddur og er greiddur öðruvísi en með korti á netinu.',
  'payer-first': 'Reikningurinn hefur ekki verið gefinn út. Veldu fyrst greiðanda.',
  'not-over-yet': 'Tímabilinu er ekki lokið.',
  'charged-back': 'Korthafi hefur endurkrafið greiðsluna. Féð er þegar farið.',
  'other-amount': 'Upphæðin var önnur þegar endurkrafan barst.',
  'not-booked-by-provider': 'Greiðslumiðlunin hefur ekki bókað þessa greiðslu.',
  'credit-invoices-only':
    'Aðeins útgefinn reikning á fyrirtæki eða eiganda má leiðrétta eftir línum. Greiðslur eru endurgreiddar.',
  'line-not-there': 'Dvölin er ekki á reikningnum.',
  'line-credited': 'Dvölin hefur verið bakfærð af reikningnum.',
  'credit-left-only': 'Dvölin stendur enn yfir. Ljúktu henni fyrst.',
  'no-gateways': 'Skýið hefur enga greiðslugátt.',
  'credit-note-contested': 'Ekki er hægt að andmæla kreditreikningi. Andmæltu reikningnum sjálfum.',
  'credit-note': 'Ekki er hægt að endurgreiða kreditreikning.',
  'refund-whole-only': 'Aðeins netgreiðslur er hægt að endurgreiða að hluta.',
  'nothing-paid': 'Ekkert hefur verið greitt fyrir þessa dvöl.',
  'needs-no-person': 'Ekki þarf að fara yfir þessa greiðslu.',
  'booked-by-provider': 'Greiðslumiðlunin hefur bókað þessa greiðslu. Hún stendur, eða var endurgreidd.',
  'site-knows-payment':
    'Staðurinn hefur ekki sagt að hann þekki ekki greiðsluna. Skráðu niðurstöðuna þar (hlid payment).',
  'terminal-finding': ({ state, findings }) =>
    `Greiðslan er ${state}: hún getur verið ${findings.join(' eða ')}.`,
  'refund-under-way': 'Endurgreiðsla stendur yfir. Bíddu eftir svari greiðslumiðlunarinnar.',
  'no-lines': 'Engar línur eru í skránni.',
  'wrong-signature': 'Undirskriftin er röng, vantar eða er eldri en fimm mínútur.',
  unreadable: 'Þetta er ekki læsilegt.',
  'no-payment-of-gateway': 'Þessi greiðslumiðlun er ekki með greiðsluna.',
  'payment-or-transaction': 'Greiðslu eða færslunúmer vantar.',
  'no-card-number': 'Kortanúmerið er ekki rétt.',
  'brand-not-taken': 'Ekki er tekið við þessari kortategund.',
  'card-expired-or-wrong': 'Gildistíminn er liðinn eða ekki réttur.',
  'wrong-ccv': 'Öryggisnúmerið er ekki rétt.',
  'no-provider': 'Þessi greiðslumiðlun er ekki uppsett fyrir staðinn.',
  'card-needed': 'Kortið vantar. Notaðu sama kort í hverju skrefi.',
  'no-visit': 'Ökutækið er ekki inni og á ekkert ógreitt.',
  'too-late':
    'Of langt er síðan ökutækið fór til að greiða á netinu. Skrifstofan getur tekið við greiðslunni.',
  'several-visits': 'Ökutækið er inni á fleiri en einum stað. Veldu dvölina.',
  'quota-product': 'Kvóti er ekki seldur fyrir staka dvöl.',
  currency: 'Verðið er í öðrum gjaldmiðli en staðurinn notar.',
  'product-of-another-visit': 'Þessi vara verðleggur ekki dvölina.',
  'costs-nothing': 'Varan kostar ekkert.',
  'site-in-use':
    'Stæðið hefur tengst, eða myndavélar, svæði, heimildir, vörur eða dvalir tilheyra því. Settu það í geymslu í staðinn.',
  'visits-priced': 'Dvalir hafa verið verðlagðar í {currency}. Gjaldmiðlinum er ekki hægt að breyta.',
  'product-currency': 'Varan {product} er í {currency}.',
  'leaves-unpriced': ({ vehicleCategory, sites }) =>
    `Varan verðleggur ökutæki á ${sites.join(', ')}. Bættu fyrst við vöru sem tekur við (${vehicleCategory}), eða settu verðið á 0.`,
  'currency-in-use': 'Upphæðir hafa verið reiknaðar í {before}. Bættu við nýrri vöru fyrir {after}.',
  'site-currency': 'Gjaldmiðill staðarins er {currency}.',
  'invoice-cannot-become': ({ from, to }) =>
    `Staða reiknings getur ekki breyst úr „${STATUS_IS.invoice[from]}“ í „${STATUS_IS.invoice[to]}“.`,
  'mark-cannot-become': ({ from, to }) =>
    `Staðan þar getur ekki breyst úr „${STATUS_IS.accounting[from]}“ í „${STATUS_IS.accounting[to]}“.`,
  'chargeback-over': ({ state }) => `Endurkröfunni er lokið: ${CHARGEBACK_STATES[state] ?? state}.`,
  'charge-back-settled-only': ({ state }) =>
    `Aðeins er hægt að endurkrefja frágengna greiðslu. Staða þessarar er „${STATUS_IS.payment[state]}“.`,
  'more-than-paid': 'Greiðslan var {amount}.',
  'reverse-settled-only': ({ state }) =>
    `Aðeins er hægt að bakfæra frágengna greiðslu. Staða þessarar er „${STATUS_IS.payment[state]}“.`,
  'refund-settled-only': ({ state }) =>
    `Aðeins er hægt að endurgreiða frágengna greiðslu. Staða þessarar er „${STATUS_IS.payment[state]}“.`,
  'refund-too-big': 'Aðeins {left} er eftir.',
  'refund-paid-only': ({ status }) =>
    `Aðeins er hægt að endurgreiða greiddan reikning. Staða þessa er „${STATUS_IS.invoice[status]}“.`,
  'too-many-days': 'Mest er hægt að leggja saman {days} daga í einu.',
  'counting-too-long': 'Talningin tekur meira en {seconds} sek. Veldu færri daga.',
  'payment-over': ({ state }) =>
    `Staða greiðslunnar er „${STATUS_IS.payment[state]}“ og dvölin gæti hafa verið greidd á annan hátt. Endurgreiddu féð.`,
  'not-csv': 'Skráin er ekki CSV: {detail}',
  'too-many-lines': 'Mest eru lesnar {max} línur í einu.',
  'no-column': 'Dálkinn {name} vantar.',
  'line-unreadable': ({ columns }) => `Ólæsilegt: ${columns.join(', ')}.`,
  'too-many-decimals': 'Aukastafir eru fleiri en {currency} hefur.',
  'no-such-gateway': ({ known }) =>
    `Þessi greiðslumiðlun er ekki uppsett. Uppsettar eru: ${known.join(', ') || 'engar'}.`,
  'payment-currency': 'Greiðslan var í {currency}.',
  'terminal-ambiguous':
    'Fleiri en einn staður er með posa með þessu heiti. Tilgreindu <auðkenni staðar>:{terminalId}.',
  'priced-by-another': 'Varan er ekki seld í dögum fyrir þetta ökutæki. Dvölin er verðlögð af {product}.',
  'less-than-due': '{paid} dugar ekki fyrir skuldinni, sem er {due}.',
  'approval-waiting': 'Þetta bíður nú þegar samþykkis annars manns.',
  'approval-own': 'Þú baðst um þetta. Annar þarf að ákveða það.',
  'approval-of-another': 'Aðeins sá sem bað um þetta getur dregið það til baka.',
  'approval-over': ({ state }) => `Þetta bíður ekki lengur: ${APPROVAL_STATES[state] ?? state}.`,
  'approval-amount-changed': 'Upphæðin er önnur núna. Skoðaðu hana aftur og ákveddu svo.',
  'approval-nothing-left': 'Ekkert er eftir til að fella niður.',
  'approval-subject-gone': 'Það sem átti að breyta er ekki lengur til.',
});

const APPROVAL_STATES: Readonly<Record<string, string>> = {
  done: 'það var samþykkt',
  refused: 'því var hafnað',
  withdrawn: 'það var dregið til baka',
  expired: 'enginn ákvað í tæka tíð',
  failed: 'það var ekki hægt',
};

const REVERSAL_FAULTS: Readonly<Record<string, string>> = {
  'terminal-busy': 'posinn er í notkun',
  'terminal-away': 'ekki næst samband við posann',
  'no-terminal': 'posinn er ekki lengur á staðnum',
  'not-found': 'greiðslan var ekki tekin á þessum posa',
  'no-refund': 'greiðslumiðlunin getur ekki endurgreitt þetta; endurgreiddu á annan hátt',
  'reversal-unknown': 'féð gæti þegar hafa verið bakfært og enginn veit það; athugið það fyrst í posanum',
  'not-reversible': 'greiðslan er ekki skráð sem frágengin á staðnum',
};

const CHARGEBACK_STATES: Record<string, string> = {
  won: 'unnin',
  lost: 'töpuð',
  prevented: 'lauk áður en fé var tekið',
};
