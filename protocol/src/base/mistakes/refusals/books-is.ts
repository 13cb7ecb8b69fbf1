import type { BookRole } from '../../book-roles.ts';
import { translateRefusals } from '../refusal-file.ts';
import type { BOOKS_EN } from './books-en.ts';

export const BOOK_ROLES_IS: Record<BookRole, string> = {
  income: 'Tekjur af dvölum',
  'fee-income': 'Tekjur af gjöldum',
  'prepaid-income': 'Tekjur af fyrirframgreiddum einingum',
  vat: 'Útskattur',
  tips: 'Þjórfé',
  'card-clearing': 'Kortagreiðslur á leiðinni',
  received: 'Móttekið af starfsmanni',
  receivables: 'Viðskiptakröfur',
  refunds: 'Endurgreiðslur í höndunum',
  'provider-balance': 'Inneign hjá færsluhirði',
  'provider-fees': 'Þóknun færsluhirðis',
  'provider-adjustments': 'Leiðréttingar færsluhirðis',
  bank: 'Bankareikningur',
  rounding: 'Sléttun',
};

export const BOOKS_IS = translateRefusals<typeof BOOKS_EN>()({
  'file-empty': 'Skráin er tóm.',
  'file-not-text': 'Skráin er {format} en ekki texti. Flyttu hana út sem CSV eða XML.',
  'file-encoding':
    'Lína {line} er ekki á {encoding}. Flyttu skrána út aftur eða breyttu stafakóðun reikningsins.',
  'file-cut': 'Ekki tókst að lesa skrána: {detail}',
  'file-format': 'Skráin er ekki á neinu sniði sem lesið er: {formats}.',
  'file-other-kind': 'Þetta er {format}, sem á heima í {place}.',
  'file-columns': ({ columns }) => `Dálka vantar í skrána: ${columns.join(', ')}.`,
  'file-column-twice': 'Dálkurinn {column} kemur tvisvar fyrir.',
  'file-rows': 'Í skrá eru mest {max} línur.',
  'file-no-rows': 'Engar færslur eru í skránni.',
  'file-cells':
    'Lína {line} er með {cells} reiti en hausinn {columns}: skráin er ekki heil eða skiltáknið annað.',
  'file-cell': 'Lína {line}, dálkur {column}: „{value}“ er ekki {wanted}.',
  'file-element': 'Í {place} stendur í skránni: {detail}',
  'file-member': '{place} vantar í skrána eða er af annarri gerð.',
  'file-needs-account': 'Skráin nefnir ekki reikning sinn: veldu reikninginn.',
  'file-needs-mapping': 'Reikningurinn {account} er ekki með vörpun dálka.',
  'file-account-unknown':
    'Enginn reikningur er þekktur sem {reference}. Bættu honum við ásamt stöðum hans og lestu skrána svo inn aftur.',
  'file-account-other': 'Skráin er af reikningi {reference} en {account} var valinn.',
  'file-account-sites': 'Reikningurinn {reference} er fyrir staði sem aðgangur þinn nær ekki til.',
  'file-currency': 'Lína {line} er í {currency} en reikningurinn í {expected}.',
  'batch-stored': 'Bunki {batch} á reikningi {account} er þegar geymdur, úr skránni {file}.',
  'batch-twice': 'Lína {line}: bunki {batch} er með tvær útborganir.',
  'batch-sum': 'Lína {line}: færslur bunka {batch} eru samtals {sum} en útborgunin er {payout}.',
  'batch-currency': 'Lína {line}: bunki {batch} er með færslur í {currency} og í {other}.',
  'batch-without-payout': 'Bunki {batch} er án útborgunar: {sum} standa út af.',
  'batch-negative': 'Bunki {batch} er neikvæður um {sum}, sem flytjast á næsta bunka.',
  'batch-failed': 'Lína {line}: útborgun bunka {batch} mistókst og {payout} komu til baka.',
  'row-sum': 'Lína {line}: {gross} að frádreginni þóknun {fee} er ekki {net}.',
  'row-kind-unknown': 'Lína {line}: „{kind}“ er ekki þekkt tegund. Hún telst aðeins í summunni.',
  'row-rounded': 'Bunki {batch}: brot úr {currency} voru sléttuð, alls {rounding}.',
  'statement-stored': 'Yfirlit {statement} á reikningi {account} er þegar geymt, úr skránni {file}.',
  'statement-sum':
    'Yfirlit {statement}: upphafsstaða {opening} og færslur {entries} gera {sum} en lokastaðan er {closing}.',
  'statement-balance': 'Lína {line}: staðan á undan og {amount} gera {sum} en staðan er {balance}.',
  'statement-no-balance': 'Yfirlit {statement} er ekki með stöðuna {balance}: ekki er hægt að stemma það af.',
  'statement-count': 'Yfirlit {statement} segist hafa {expected} færslur en þær eru {found}.',
  'entry-sum':
    'Yfirlit {statement}, færsla {entry}: hreyfingar hennar eru samtals {sum} en færslan er {amount}.',
  'entry-pending': 'Yfirlit {statement}: {entries} færslur eru ekki bókaðar enn og eru ekki geymdar.',
  'entries-stored': 'Yfirlit {statement}: {entries} færslur eru þegar geymdar, úr fyrri skrá.',
  'statement-overlaps': 'Yfirlit {statement} byrjar {from} en reikningurinn er geymdur til {until}.',
  'statement-gap': 'Yfirlit {statement} byrjar á stöðunni {opening} en það á undan endaði á {closing}.',
  'file-in-use': 'Skráin er hluti af lokuðum degi og verður ekki eytt.',
  'money-account-there': 'Reikningur með þessu auðkenni er þegar skráður.',
  'mapping-lacks': ({ fields }) => `Í vörpunina vantar: ${fields.join(', ')}.`,
  'mapping-column-twice': 'Dálkurinn {column} er notaður tvisvar.',
  'mapping-not-taken': 'Aðeins reikningur með vörpuðu CSV er með vörpun.',
  'pays-into-bank': 'Bankareikningurinn er ekki þekktur.',
  'account-missing': ({ role, detail, site, link }) => {
    const what = detail === null ? BOOK_ROLES_IS[role] : `${BOOK_ROLES_IS[role]} (${detail})`;
    return `Bókhaldslykil vantar: ${site === null ? what : `${what}, ${site}`}. ${link}`;
  },
  'book-account-form': 'Notaðu bókstafi og tölustafi, punkta og strik.',
  'book-line-twice': 'Þessi lína er þegar til.',
  'period-open': 'Tímabilinu er ekki lokið: færslur þess geta enn breyst.',
  'datev-not-set': 'DATEV þarf númer ráðgjafa og viðskiptavinar: skráðu þau með bókhaldslyklunum.',
  'datev-account': 'Lyklar í DATEV eru tölustafir, mest {digits}: {account} er það ekki.',
  'datev-currencies': 'Skrá fyrir DATEV er í einni mynt en á tímabilinu eru {currencies}: veldu stað.',
  'datev-rows': 'Skrá fyrir DATEV tekur mest {max} línur: veldu dag eða stað.',
});
