import { translateRefusals } from '../refusal-file.ts';
import type { SITES_EN } from './sites-en.ts';

export const SITES_IS = translateRefusals<typeof SITES_EN>()({
  'site-away': 'Ekki næst samband við staðinn.',
  'command-not-connected': 'Ekki gert: staðurinn er ekki tengdur.',
  'command-unknown':
    'Óvíst hvort þetta var gert: staðurinn svaraði ekki innan sekúndu. Sjá atburði staðarins.',
  'gate-refused': 'Hliðið hafnaði þessu, eða getur það ekki.',
  'gate-away': 'Ekki næst samband við hliðið. Ekkert var gert.',
  'gate-silent': 'Hliðið svaraði ekki. Það gæti hafa hreyfst.',
  'device-no-answer': 'Staðurinn svaraði ekki í tæka tíð. Reyndu aftur.',
  'device-not-checkable':
    'Staðurinn getur ekki tengst þessari myndavél: hún sendir lestra sína sjálf. Mynd sýnir hvort hún virkar, ef slóð hennar fyrir myndir er í stillingum tölvunnar á staðnum.',
  'no-picture-source':
    'Engin myndavél hér er með slóð fyrir myndir. Bættu onvif eða snapshot við myndavélina í stillingum tölvunnar á staðnum.',
  'camera-away': 'Myndavélin svarar ekki: {detail}',
  'camera-login-refused':
    'Myndavélin hafnar notanda og lykilorði. Athugaðu þau í stillingunum og reyndu svo aftur.',
  'camera-no-picture': 'Myndavélin gaf enga mynd: {detail}',
  'kiosk-away': 'Enginn skjár sjálfsala svarar á þessu bílastæði.',
  'kiosk-no-picture': 'Síða sjálfsalans er í vafra sem tekur ekki myndir. Á skjánum stendur: {detail}',
  'picture-unsent': ({ detail }) =>
    detail === ''
      ? 'Myndin barst ekki. Reyndu aftur.'
      : `Staðurinn er með myndina en gat ekki sent hana: ${detail}`,
  'picture-not-wanted': 'Enginn bíður eftir þessari mynd.',
  'probe-failed': 'Ekki tókst að leita á neti staðarins: {detail}',
  'code-used':
    'Kóðinn hefur þegar verið notaður. Ef það varst ekki þú skaltu búa strax til nýjan: þá missir sá aðganginn sem notaði þennan.',
  'code-expired': 'Kóðinn er útrunninn. Búðu til nýjan.',
  'camera-taken': 'Staðurinn er þegar með myndavélina {remoteId}.',
  'zone-taken': 'Staðurinn er þegar með svæðið „{name}“.',
  'webhook-taken': 'Vefkrókurinn „{name}“ á þessa slóð er þegar til.',
  'feed-range-gone': 'Þessi hluti straumsins er ekki lengur til. Sæktu stöðuna í heild.',
  'too-many-streams': 'Of margar beinar tengingar eru opnar. Reyndu aftur síðar.',
  'which-site': 'Veldu stað.',
  'no-url': 'Vefslóðin er ekki gild.',
  'https-needed': 'Vefslóðin þarf að byrja á https://.',
  'password-in-url': 'Notandanafn og lykilorð mega ekki vera í slóðinni. Sendingar eru undirritaðar.',
  'internal-address': 'Slóðin vísar á innra net.',
  'no-event-yet': 'Þessi atburður er ekki til enn.',
  'recovery-not-repeated': 'Hlekkur fyrir nýtt lykilorð er ekki sendur aftur. Biðja þarf um nýjan.',
  'no-site-of-id': 'Staðurinn {id} fannst ekki.',
  'lane-of-another-zone': 'Akreinin {lane} liggur þegar inn á „{zone}“.',
  'call-over': 'Kallinu er lokið.',
  'say-what-was-done': 'Skrifaðu hvað var gert.',
  'note-with-other': 'Skrifaðu athugasemd með ástæðunni „annað“.',
  'car-gone': 'Bíllinn er farinn. Ekkert var gert.',
  'another-car': 'Annar bíll er þarna núna. Ekkert var gert.',
  'lanes-not-known': 'Ekki er vitað hvaða akreinar liggja inn á svæðið.',
  'console-address': 'Slóðin þarf að vera innan /console/.',
  'operators-share': 'Aðeins rekstraraðilar geta deilt sýnum.',
  'call-taken': ({ name }) => `${name ?? 'Annar'} hefur svarað þessu kalli.`,
  'send-form': 'Sendu eyðublað: Content-Type: multipart/form-data',
  'package-form': 'Eyðublaðið þarf skrána package og undirskrift hennar, signature.',
  'package-name': 'Skráin þarf að heita hlid-edge_<útgáfa>_<amd64 eða arm64>.deb.',
  'not-a-package': 'Skráin er ekki Debian-pakki.',
  'package-too-large': 'Pakkinn má mest vera {bytes} bæti.',
  'package-signature': 'Skráin er ekki undirskrift frá minisign.',
  'other-package':
    'Annar pakki með útgáfu {version} fyrir {architecture} er þegar til. Nýr pakki þarf nýja útgáfu.',
  'package-in-use': 'Uppfærsla sem er ekki lokið notar þennan pakka.',
  'no-package': 'Enginn pakki með útgáfu {version} er til.',
  'no-sites': 'Enginn staður er til að uppfæra.',
  'rollout-not-over': 'Uppfærslu í {version} er ekki lokið. Ljúktu henni fyrst.',
  'rollout-over': 'Þessari uppfærslu er lokið.',
  'nothing-to-retry': 'Staðurinn hefur þegar fengið fyrirmæli, eða er með útgáfuna.',
  'opening-answer': 'Skrefið {step} tekur ekki við „{answer}“ eins og staðan er á staðnum núna.',
  'test-car-not-begun': 'Byrjaðu prófunina fyrst.',
  'test-car-before': 'Þessi bíll kom áður en prófunin byrjaði.',
  'too-many-views': 'Aðgangur má mest hafa {max} sýnir.',
});
