import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/help.ts';

export const help = translate<typeof en.help>()({
  now: 'Allar akreinar og bíllinn sem stendur þar, í beinni. Opnaðu, haltu opnu eða lokaðu hliði hér; hver skipun geymist með nafni þínu og ástæðu.',
  visits:
    'Allar dvalir frá innkeyrslu til útkeyrslu, með myndum og verði. Opnaðu eina til að leiðrétta númer, gera upp, fella niður eða opna aftur; ekkert glatast og hver breyting hefur ástæðu.',
  review:
    'Lestrar og dvalir sem bíða ákvörðunar, þau elstu fyrst. Svaraðu með lyklum; næsta mál er þegar sótt.',
  money:
    'Greiðslur sem bíða afgreiðslu, ógreiddar dvalir, reikningar, dagar posa og reikningakeyrslur. Það sem færir fé biður um nýja staðfestingu á að þetta sért þú.',
  approvals:
    'Endurgreiðslur, niðurfellingar og kreditreikningar yfir mörkum staðar sem bíða samþykkis annars manns. Samþykktu það sem þú hefur skoðað eða hafnaðu því með ástæðu; það sem þú baðst um ákveður annar.',
  permits:
    'Númer sem leggja frítt eða á umsömdum tíma, og númer sem eru útilokuð. Breyting nær til allra stæða innan sekúndu.',
  customers:
    'Fyrirtæki og eigendur ökutækja: hver greiðir fyrir hvaða bíla, hvernig og hvenær. Reikningur fer eftir því sem hér stendur á þeim tíma.',
  vehicles:
    'Það sem vitað er um númer: eigandi úr skrá, hver greiðir og dvalirnar. Leiðrétting hér gildir þar til þú tekur hana til baka.',
  quotas:
    'Dagar og einingar sem voru keypt fyrir fram, og hve mikið er eftir. Stæðið telur þau við útkeyrslu, líka án sambands við skýið.',
  products:
    'Verð: hvað dvöl kostar, fyrir hvaða bíla og á hvaða stæði. Dæmi eru verðlögð meðan þú skrifar, með sömu reglu og við hliðið.',
  reports:
    'Tekjur, dvalir og umferð yfir tíma, sem línurit, tafla og skrá. Tölurnar eru þær sömu og í bókunum.',
  accounts:
    'Hverjir mega skrá sig inn og hvað hver má gera á hvaða stæði. Bjóddu fólki með pósti og lokaðu öllu í einu skrefi þegar það hættir.',
  devices:
    'Myndavélar, hlið, posar og tölvur hvers stæðis: hvað virkar, frá hvenær og hvað á að gera. Tölva nýs stæðis er tengd undir Tenging.',
  cameras:
    'Myndavélar hverrar akreinar, mynd þeirra núna og frá hvaða einkunn lestur gildir. Myndavélar í neti stæðis finnast af sjálfu sér.',
  zones:
    'Hlutar bílastæðis með eigin plássum, og hve margir bílar eru inni. Leiðréttu töluna hér þegar hún hefur skekkst; ástæðan geymist.',
  sites:
    'Hvert bílastæði með stillingum sínum, og hér er nýtt opnað. Breyting er komin að hliðinu innan sekúndu ef stæðið er tengt.',
  upgrades:
    'Nýjar útgáfur forritsins fyrir stæðin, hring eftir hring. Stæði sem kemur ekki heilt til baka fer sjálft í fyrri útgáfu.',
  webhooks:
    'Önnur kerfi sem fá að vita af dvölum, greiðslum og viðvörunum, í röð og aftur þar til þau taka við. Það sem mistókst má senda aftur héðan.',
  mail: 'Allur póstur sem kerfið sendir: hvað bíður, hvað var sent, hvað mistókst og hvers vegna. Sendu aftur þegar orsökin er löguð.',
  audit: 'Hver breytti hverju, hvenær og hvers vegna, með fyrra gildi. Línum er aðeins bætt við.',
  privacy:
    'Hve lengi gögn eru geymd, hverju var eytt, og allt um eitt númer. Fluttu það út fyrir eigandann eða eyddu því.',
  training:
    'Sex æfingar á hermdu bílastæði, aldrei á raunverulegu. Hver þeirra lætur eitthvað gerast og hakar við skrefin eftir því sem þú gerir í öðrum herbergjum.',
  login: 'Nafn þitt, lykilorð, aðrar staðfestingar og innskráningar. Lokaðu innskráningu hér ef tæki týnist.',
  company:
    'Fyrir hvað fyrirtækið þitt greiðir og hvernig næst í það. Sumum reitum breytir aðeins skrifstofa bílastæðisins.',
});
